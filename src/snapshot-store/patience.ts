/** Pauses after a failure; an operation that hangs keeps its place. */
import type { SnapshotStoreLimits } from './limits.ts';
import { within } from '../kernel/within.ts';

export interface PatienceOptions {
  readonly limits: Pick<SnapshotStoreLimits, 'atATime' | 'pauseMs' | 'slowTotalMs'>;
  /** The first failure in a row, and null when the store answers again. */
  readonly onChange: (failure: unknown) => void;
}

export class StoreSkipped extends Error {}

/** What is there can still be read. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

export class Patience {
  readonly #options: PatienceOptions;
  readonly #waiting: PromiseWithResolvers<undefined>[] = [];
  #running = 0;
  #hanging = 0;
  #pausedUntilMs = -Infinity;
  #isFailing = false;
  #slowMs = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Rejects when the store fails, takes too long, or failed a moment ago. */
  async run<T>(mostMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (performance.now() < this.#pausedUntilMs) throw new StoreSkipped('it failed a moment ago');
    if (this.#hanging >= this.#options.limits.atATime) throw new StoreSkipped('it hangs');
    await this.#turn();
    try {
      const answer = await this.#within(mostMs, work);
      if (this.#isFailing) this.#options.onChange(null);
      this.#isFailing = false;
      return answer;
    } catch (error) {
      if (!isFull(error)) this.#fail(error);
      throw error;
    }
  }

  /** Past the limit of slow fetches the store rests. */
  tookLonger(ms: number): void {
    const { slowTotalMs } = this.#options.limits;
    this.#slowMs += Math.max(0, ms);
    if (this.#slowMs < slowTotalMs) return;
    this.#slowMs = 0;
    this.#fail(new StoreSkipped(`its fetches were ${slowTotalMs} ms too slow in all`));
  }

  #fail(error: unknown): void {
    this.#pausedUntilMs = performance.now() + this.#options.limits.pauseMs;
    for (const each of this.#waiting.splice(0)) each.reject(new StoreSkipped('it just failed'));
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#options.onChange(error);
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#options.limits.atATime) {
      this.#running += 1;
      return;
    }
    const turn = Promise.withResolvers<undefined>();
    this.#waiting.push(turn);
    await turn.promise;
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next.resolve(undefined);
  }

  async #within<T>(mostMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let isLate = false;
    const done = work(abort.signal).finally(() => {
      if (isLate) this.#hanging -= 1;
      this.#leave();
    });
    return await within(mostMs, done, () => {
      isLate = true;
      this.#hanging += 1;
      abort.abort();
      throw new StoreSkipped(`no answer within ${mostMs} ms`);
    });
  }
}
