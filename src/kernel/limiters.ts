/** The limits of a process by name, in memory that its threads share: exact for their sum. */
import { Bucket, Window } from './burst.ts';
import { monotonicSince } from './clock.ts';
import { forgetCounts, LimitedCounter } from './limited-counter.ts';
import { forgetOutage, outageBoard, shareBoard } from './limiter-boards.ts';
import type { OutageBoard, ShareBoard } from './limiter-boards.ts';
import { allTables, createLimiterMemory, tableMemory } from './limiter-memory.ts';
import type { LimiterKind, LimiterMemory, LimiterName } from './limiter-memory.ts';
import type { PermitName } from './limiter-sizes.ts';
import { limiterHolder, OwnedLock, releaseLock, Table } from './limiter-table.ts';
import type { Holder } from './limiter-table.ts';
import { withNetworks } from './network-limiters.ts';
import type { HolderLimiters } from './network-limiters.ts';
import { SharedPeriodSum } from './period-sum.ts';
import { forgetWaiting, Permits } from './permits.ts';

export interface Limiters extends HolderLimiters {
  readonly threads: number;
  /** Equal in all threads. */
  readonly monotonicMs: () => number;
  permits(name: PermitName, atATime: number, part?: string): Permits;
  readonly share: ShareBoard;
  readonly outages: OutageBoard;
}

/** Of one thread. */
export function localLimiters(): Limiters {
  return sharedLimiters(createLimiterMemory(1), 0);
}

/** `thread`: numbered from 0. */
export function sharedLimiters(memory: LimiterMemory, thread: number): Limiters {
  const { threads, secret } = memory;
  if (thread < 0 || thread >= threads) throw new RangeError(`There is no thread ${thread}.`);
  const holderOf = (name: string): Holder => limiterHolder(secret, name);
  const open = <K extends LimiterKind>(kind: K, name: LimiterName<K>, begun?: number) => {
    const table = tableMemory(memory, kind, name);
    const { head } = table;
    return { head, table: new Table(table, new OwnedLock(head, thread, threads), begun) };
  };
  return {
    threads,
    monotonicMs: monotonicSince(memory.originMs),
    ...withNetworks({
      counter: (name, limits) =>
        new LimitedCounter(open('counters', name).table, { thread, holderOf }, limits),
      buckets: (name) => {
        const { table } = open('buckets', name, Infinity);
        return (of) => new Bucket(table, holderOf(of));
      },
      windows: (name, limit) => {
        const { table } = open('windows', name);
        return (of) => new Window(table, holderOf(of), limit);
      },
      sums: (name, periodMs) => {
        const { table } = open('sums', name);
        return (of) => new SharedPeriodSum(table, holderOf(of), periodMs);
      },
    }),
    permits: (name, atATime, part = '') => {
      const { head, table } = open('permits', name);
      const limits = { each: atATime, total: Infinity };
      const counter = new LimitedCounter(table, { thread, holderOf }, limits);
      return new Permits(counter, head, { part, thread, threads, atATime });
    },
    share: shareBoard(memory),
    outages: outageBoard(memory, thread),
  };
}

/** Takes back what an ended thread had. Call before another gets its number. */
export function forgetThread(memory: LimiterMemory, thread: number): void {
  for (const { kind, name } of allTables()) {
    const table = tableMemory(memory, kind, name);
    if (kind === 'counters' || kind === 'permits') forgetCounts(table, thread, memory.threads);
    releaseLock(table.head, thread);
    if (kind === 'permits') forgetWaiting(table.head, thread);
  }
  forgetOutage(memory, thread);
}
