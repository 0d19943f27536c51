import { Bucket, NO_SHARE, Window } from './burst.ts';
import type { Share } from './burst.ts';
import { LimitedCounter } from './limited-counter.ts';
import type { PermitName } from './limiter-sizes.ts';
import { withNetworks } from './network-limiters.ts';
import type { HolderLimiters } from './network-limiters.ts';
import { LocalPeriodSum } from './period-sum.ts';
import { LocalPermits } from './permits.ts';
import type { Permits } from './permits.ts';

/** Written by one thread, read by all. */
export interface ShareBoard {
  read(): Share;
  write(share: Share): void;
}

/** An outage of the store lasts while any thread of the process has it. */
export interface OutageBoard {
  /** `own`: this thread's number of the outage. */
  during(own: number): number;
  over(): void;
}

export interface Limiters extends HolderLimiters {
  readonly threads: number;
  /** Equal in all threads. */
  monotonicMs(): number;
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
