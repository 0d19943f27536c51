/**
 * The store's last answer, for outages. Asks on each call with a short deadline, and periodically.
 */
import type { StoreOutages } from '../db/store-watch.ts';
import { Rounds } from '../kernel/rounds.ts';
import { storeUnreachable } from '../kernel/failures.ts';
import { Latest } from '../kernel/last.ts';
import { LIMITS } from '../kernel/limits.ts';
import { DB_LIMITS } from '../db/limits.ts';
import { OPS_LIMITS } from './limits.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { within } from '../kernel/within.ts';

export interface LastKnownOptions<T> {
  readonly read: () => Promise<T>;
  readonly outages: StoreOutages;
  /** For tests. */
  readonly monotonicMs?: () => number;
}

export interface Reported<T> {
  readonly value: T;
  /** Since the store was asked; null: current. */
  readonly ageS: number | null;
}

export class LastKnown<T> {
  readonly #read: () => Promise<T>;
  readonly #outages: StoreOutages;
  readonly #monotonicMs: () => number;
  readonly #rounds = new Rounds();
  readonly #latest = new Latest<T>();

  constructor({ read, outages, monotonicMs = () => performance.now() }: LastKnownOptions<T>) {
    this.#read = read;
    this.#outages = outages;
    this.#monotonicMs = monotonicMs;
  }

  /** Throws `store_unreachable` without any answer. */
  async get(): Promise<Reported<T>> {
    if (this.#outages.isUnavailable) return this.#remembered();
    try {
      return { value: await this.#ask(), ageS: null };
    } catch (error) {
      this.#outages.failed(error);
      if (!isServerUnavailable(error)) throw error;
      return this.#remembered(error);
    }
  }

  start(everyMs: number): void {
    this.#rounds.start(async () => {
      // The next caller gets the failure.
      if (!this.#outages.isUnavailable) await this.#ask().catch(() => undefined);
      return this.#latest.known === null ? DB_LIMITS.storeProbeEveryMs : everyMs;
    });
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #ask(): Promise<T> {
    const begunMs = this.#monotonicMs();
    const asked = this.#read().then((value) => {
      this.#latest.note(value, begunMs);
      return value;
    });
    return await within(OPS_LIMITS.lastKnownWaitMs, asked, () => {
      throw new Error('timeout: the store did not answer in time');
    });
  }

  #remembered(cause?: unknown): Reported<T> {
    const { known } = this.#latest;
    if (known === null) throw storeUnreachable(cause, LIMITS.retryAfterS.unavailable);
    const ageS = Math.max(0, Math.floor((this.#monotonicMs() - known.begunMs) / 1000));
    return { value: known.value, ageS };
  }
}
