/**
 * Visitors of the trial have their own burst and daily units (D152), divided between live
 * processes.
 */
import { Failure } from '../kernel/failures.ts';
import type { TokenBucket, LimitState } from '../kernel/burst.ts';
import type { StateOf } from '../kernel/network-limiters.ts';
import type { PeriodSum } from '../kernel/period-sum.ts';
import { TRIAL } from './trial-limits.ts';
import type { RequestLimitOptions } from './request-limit.ts';

type VisitorOptions = Omit<RequestLimitOptions, 'perSecond'>;

export class VisitorLimits {
  readonly #options: VisitorOptions;
  readonly bucket: StateOf<TokenBucket>;
  readonly #day: StateOf<PeriodSum>;

  constructor(options: VisitorOptions) {
    this.#options = options;
    const { limiters } = options;
    this.bucket = limiters.buckets('visitors');
    this.#day = limiters.sums('days of visitors', TRIAL.dayMs);
  }

  /** Throws quota_exceeded with Retry-After, taking nothing. A day begins with the first unit. */
  take(visitor: string, units: number): void {
    const nowMs = this.#options.monotonicMs();
    const day = this.#day(visitor);
    if (day.take(units, this.#allowed(), nowMs)) return;
    throw usedUp(Math.max(1, Math.ceil(day.leftMs(nowMs) / 1000)));
  }

  giveBack(visitor: string, units: number): void {
    this.#day(visitor).giveBack(units);
  }

  state(visitor: string): LimitState {
    const nowMs = this.#options.monotonicMs();
    const day = this.#day(visitor);
    return {
      limit: TRIAL.dayUnits,
      windowS: TRIAL.dayMs / 1000,
      remaining: day.left(this.#allowed(), nowMs),
      resetS: Math.ceil(day.leftMs(nowMs) / 1000),
    };
  }

  #allowed(): number {
    return Math.floor(TRIAL.dayUnits * this.#options.limiters.share.read().fraction);
  }
}

function usedUp(retryAfterS: number): Failure {
  const { dayUnits } = TRIAL;
  return new Failure('quota_exceeded', {
    error: `The open trial answers ${dayUnits} lookups a day of one client address: sign in to make a key.`,
    errorDa: `Den åbne prøve besvarer ${dayUnits} opslag i døgnet fra én klientadresse: log ind, og lav en nøgle.`,
    retryAfterS,
  });
}
