/** Limits concurrent work and its queue, per holder and in total. */
import { FairLine } from './fair-line.ts';
import type { Counter, CounterLimits } from './limited-counter.ts';
import type { Permits } from './permits.ts';

const LOOK_MS = 50;

/** Ends the wait of work that is no longer wanted. */
interface GivenUp {
  readonly signal: AbortSignal | undefined;
  readonly failure: () => Error;
}

export class Semaphore {
  readonly #permits: Permits;
  readonly #holders: Counter | null;
  readonly #line: FairLine<() => void>;
  #look: NodeJS.Timeout | null = null;

  /** `holders`: permits of each holder; null: unlimited. */
  constructor(permits: Permits, waiting: CounterLimits, holders: Counter | null = null) {
    this.#permits = permits;
    this.#holders = holders;
    this.#line = new FairLine(waiting);
  }

  get taken(): number {
    return this.#permits.taken;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** Throws `full()` when the queue is full. */
  async run<T>(
    holder: string,
    work: () => Promise<T>,
    full: () => Error,
    givenUp?: GivenUp,
  ): Promise<T> {
    const isFree = this.#line.size === 0 && this.#take(holder);
    if (!isFree) await this.#wait(holder, full, givenUp);
    try {
      return await work();
    } finally {
      this.#leave(holder);
    }
  }

  #wait(
    holder: string,
    full: () => Error,
    { signal, failure = full }: Partial<GivenUp> = {},
  ): Promise<undefined> {
    if (signal?.aborted) throw failure();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const enter = (): void => {
      signal?.removeEventListener('abort', giveUp);
      resolve(undefined);
    };
    const giveUp = (): void => {
      this.#line.remove(holder, enter);
      reject(failure());
    };
    if (this.#line.push(holder, enter) !== null) throw full();
    signal?.addEventListener('abort', giveUp, { once: true });
    if (this.#holders !== null) this.#admit();
    else this.#permits.whenGiven(this.#admit);
    return promise;
  }

  #leave(holder: string): void {
    this.#holders?.remove(holder);
    if (this.#permits.give()) this.#admit();
    else if (this.#line.size > 0) this.#permits.whenGiven(this.#admit);
  }

  #take(holder: string): boolean {
    if ((this.#holders?.add(holder) ?? null) !== null) return false;
    if (this.#permits.take()) return true;
    this.#holders?.remove(holder);
    return false;
  }

  readonly #admit = (): void => {
    while (this.#line.size > 0) {
      const enter = this.#line.shift((holder) => this.#take(holder));
      if (enter === undefined) {
        this.#admitLater();
        return;
      }
      enter();
    }
  };

  #admitLater(): void {
    if (this.#holders === null) {
      this.#permits.whenGiven(this.#admit);
      return;
    }
    // No event says when a permit is free for these holders.
    if (this.#look !== null) return;
    this.#look = setTimeout(() => {
      this.#look = null;
      this.#admit();
    }, LOOK_MS);
  }
}
