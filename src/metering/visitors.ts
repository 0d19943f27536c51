/**
 * Visitors of the open trial, who share one account (D152): each has its own burst and daily units. In
 * memory, divided between the live processes.
 */
import { cacheByCount } from '../kernel/cache.ts';
import type { Cache } from '../kernel/cache.ts';
import { Failure } from '../kernel/failures.ts';
import { Bucket } from '../kernel/burst.ts';
import type { Share } from '../kernel/burst.ts';
import type { LimitState } from './meter-types.ts';
import { TRIAL } from './trial-limits.ts';

interface Day {
  units: number;
  readonly endsMs: number;
}

interface VisitorOptions {
  readonly share: () => Share;
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number;
}

export class VisitorLimits {
  readonly #options: VisitorOptions;
  readonly #buckets: Cache<Bucket> = cacheByCount(TRIAL.visitors, 0);
  readonly #days: Cache<Day> = cacheByCount(TRIAL.visitors, 0);

  constructor(options: VisitorOptions) {
    this.#options = options;
  }

  bucket(visitor: string): Bucket {
    const known = this.#buckets.get(visitor);
    if (known !== undefined) return known;
    const made = new Bucket();
    this.#buckets.set(visitor, made);
    return made;
  }

  /**
   * Throws quota_exceeded with Retry-After, taking nothing. A visitor's day begins with its first
   * unit.
   */
  take(visitor: string, units: number): void {
    const day = this.#day(visitor);
    if (day.units + units > this.#allowed()) throw usedUp(this.#leftS(day));
    day.units += units;
  }

  giveBack(visitor: string, units: number): void {
    const day = this.#days.get(visitor);
    if (day !== undefined) day.units = Math.max(0, day.units - units);
  }

  state(visitor: string): LimitState {
    const day = this.#day(visitor);
    return {
      limit: TRIAL.dayUnits,
      windowS: TRIAL.dayMs / 1000,
      remaining: Math.max(0, this.#allowed() - day.units),
      resetS: day.units === 0 ? 0 : this.#leftS(day),
    };
  }

  #day(visitor: string): Day {
    const nowMs = this.#options.monotonicMs();
    const known = this.#days.get(visitor);
    if (known !== undefined && nowMs < known.endsMs) return known;
    const begun = { units: 0, endsMs: nowMs + TRIAL.dayMs };
    this.#days.set(visitor, begun);
    return begun;
  }

  #allowed(): number {
    return Math.floor(TRIAL.dayUnits * this.#options.share().fraction);
  }

  #leftS({ endsMs }: Day): number {
    return Math.max(1, Math.ceil((endsMs - this.#options.monotonicMs()) / 1000));
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
