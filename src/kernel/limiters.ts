/**
 * What limits are kept in: of this process's only thread, or shared by its threads (`src/threads/limits`).
 */
import { Bucket, NO_SHARE, Window } from './burst.ts';
import type { Share } from './burst.ts';
import { LimitedCounter } from './limited-counter.ts';
import type { PermitName } from './limiter-sizes.ts';
import { withNetworks } from './network-limiters.ts';
import type { HolderLimiters } from './network-limiters.ts';
import { LocalPeriodSum } from './period-sum.ts';
import { LocalPermits } from './permits.ts';
import type { Permits } from './permits.ts';

/** The process's share of limits that processes divide: written by one thread, read by all. */
export interface ShareBoard {
  read(): Share;
  write(share: Share): void;
}

/** Outages of the store as the process counts them: one lasts while any of its threads has it. */
export interface OutageBoard {
  /** The number of the outage in which this thread is; `own`: its own number of it. */
  during(own: number): number;
  /** This thread is in none. */
  over(): void;
}

export interface Limiters extends HolderLimiters {
  /** How many threads use them. */
  readonly threads: number;
  /** Monotonic, and the same in all threads. */
  monotonicMs(): number;
  /** So many at a time; `part`: each part of `name` has its own. */
  permits(name: PermitName, atATime: number, part?: string): Permits;
  readonly share: ShareBoard;
  readonly outages: OutageBoard;
}

export function localLimiters(): Limiters {
  let share = NO_SHARE;
  return {
    threads: 1,
    monotonicMs: () => performance.now(),
    ...withNetworks({
      counter: (_name, limits) => new LimitedCounter(limits),
      buckets: () => () => new Bucket(),
      windows: (_name, limit) => () => new Window(limit),
      sums: (_name, periodMs) => () => new LocalPeriodSum(periodMs),
    }),
    permits: (_name, atATime) => new LocalPermits(atATime),
    share: { read: () => share, write: (next) => void (share = next) },
    outages: { during: (own) => own, over: () => undefined },
  };
}
