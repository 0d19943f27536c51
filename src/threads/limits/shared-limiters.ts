import type { Limiters } from '../../kernel/limiters.ts';
import { withNetworks } from '../../kernel/network-limiters.ts';
import { leaveOutage, SharedOutages, SharedShare } from './boards.ts';
import { BUCKET_RULES, SharedBucket } from './buckets.ts';
import { COUNTER_RULES, forgetCounts, SharedCounter } from './counters.ts';
import type { SharedParts } from './counters.ts';
import { holderOf } from './holders.ts';
import { machineMs, openLimiterMemory } from './memory.ts';
import type { LimiterMemory } from './memory.ts';
import { SharedPermits, wakeAll } from './shared-permits.ts';
import { Slots } from './slots.ts';
import type { SlotMemory, SlotRules } from './slots.ts';
import { SharedPeriodSum, sumRules } from './sums.ts';
import { SharedWindow, windowRules } from './windows.ts';

/** `thread`: numbered from 0. */
export function sharedLimiters(buffer: SharedArrayBuffer, thread: number): Limiters {
  const memory = openLimiterMemory(buffer);
  if (thread < 0 || thread >= memory.threads) throw new RangeError(`There is no thread ${thread}.`);
  const shared: SharedParts = {
    thread,
    holderOf: (name) => holderOf(memory.secret, name),
    monotonicMs: monotonicFrom(memory.originMs),
  };
  const slotsOf = (table: SlotMemory, rules: SlotRules): Slots => new Slots(table, rules, thread);
  const tokens = bucketsOf(memory, slotsOf, shared);
  return {
    threads: memory.threads,
    monotonicMs: shared.monotonicMs,
    ...withNetworks({
      counter: (name, limits) => {
        const table = memory.counters[name];
        return new SharedCounter(slotsOf(table, COUNTER_RULES), table, shared, limits);
      },
      buckets: tokens,
      windows: (name, limit) => {
        const table = memory.windows[name];
        const slots = slotsOf(table, windowRules(limit.windowMs));
        return (of) => new SharedWindow(slots, table.moments, shared.holderOf(of), limit);
      },
      sums: (name, periodMs) => {
        const slots = slotsOf(memory.sums[name], sumRules(periodMs));
        return (of) => new SharedPeriodSum(slots, shared.holderOf(of), periodMs);
      },
    }),
    permits: (name, atATime, part = '') => {
      const table = memory.permits[name];
      const limits = { each: atATime, total: Infinity };
      const counter = new SharedCounter(slotsOf(table, COUNTER_RULES), table, shared, limits);
      return new SharedPermits(counter, table, { part, thread, atATime });
    },
    share: new SharedShare(memory.shareCount, memory.shares),
    outages: new SharedOutages(memory.outage, thread),
  };
}

function bucketsOf(
  memory: LimiterMemory,
  slotsOf: (table: SlotMemory, rules: SlotRules) => Slots,
  shared: SharedParts,
): Limiters['buckets'] {
  return (name) => {
    const slots = slotsOf(memory.buckets[name], BUCKET_RULES);
    return (of) => new SharedBucket(slots, shared.holderOf(of));
  };
}

/** Takes back an ended thread's places, permits and bytes. Call before another gets its number. */
export function forgetThread(buffer: SharedArrayBuffer, thread: number): void {
  const memory = openLimiterMemory(buffer);
  const { buckets, sums, windows, counters, permits } = memory;
  for (const table of [buckets, sums, windows].flatMap((each) => Object.values(each))) {
    new Slots(table, BUCKET_RULES, thread).forget(thread);
  }
  for (const table of [counters, permits].flatMap((each) => Object.values(each))) {
    forgetCounts(new Slots(table, COUNTER_RULES, thread), table, thread);
  }
  for (const table of Object.values(permits)) {
    Atomics.store(table.waiting, thread, 0);
    wakeAll(table);
  }
  leaveOutage(memory.outage, 1n << BigInt(thread));
}

function monotonicFrom(originMs: number): () => number {
  const aheadMs = machineMs() - performance.now() - originMs;
  return () => performance.now() + aheadMs;
}
