/** Limits concurrent work and its queue, per holder and in total; the next is refused. */
import { FairLine } from './fair-line.ts';
import type { CounterLimits } from './limited-counter.ts';
import { LocalPermits } from './permits.ts';
import type { Permits } from './permits.ts';

export interface SemaphoreLimits {
  readonly atATime: number;
  readonly waiting: CounterLimits;
}

export class Semaphore {
  readonly #permits: Permits;
  readonly #line: FairLine<() => void>;

  /** `permits`: those of all threads; absent: of this one. The line is this thread's. */
  constructor({ atATime, waiting }: SemaphoreLimits, permits?: Permits) {
    this.#permits = permits ?? new LocalPermits(atATime);
    this.#line = new FairLine(waiting);
  }

  /** Holders take turns. Throws the error of `full` when the queue is full. */
  async run<T>(holder: string, work: () => Promise<T>, full: () => Error): Promise<T> {
    if (this.#line.size > 0 || !this.#permits.take()) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      if (this.#line.push(holder, () => resolve(undefined)) !== null) throw full();
      this.#permits.whenGiven(this.#admit);
      await promise;
    }
    try {
      return await work();
    } finally {
      if (this.#permits.give()) this.#admit();
      else if (this.#line.size > 0) this.#permits.whenGiven(this.#admit);
    }
  }

  readonly #admit = (): void => {
    while (this.#line.size > 0) {
      if (!this.#permits.take()) {
        this.#permits.whenGiven(this.#admit);
        return;
      }
      this.#line.shift()?.();
    }
  };
}
