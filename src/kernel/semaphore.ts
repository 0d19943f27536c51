/** Limits concurrent work and its queue, per holder and in total. */
import type { Counter, CounterLimits } from './limited-counter.ts';
import { PermitLine } from './permit-line.ts';
import { LocalPermits } from './permits.ts';
import type { Permits } from './permits.ts';

export interface SemaphoreLimits {
  readonly atATime: number;
  readonly waiting: CounterLimits;
}

export class Semaphore {
  readonly #line: PermitLine;

  /** `permits`: of all threads. `holders`: permits of each holder. */
  constructor({ atATime, waiting }: SemaphoreLimits, permits?: Permits, holders?: Counter) {
    this.#line = new PermitLine(permits ?? new LocalPermits(atATime), waiting, holders);
  }

  /** Holders take turns. Throws `full()` when the queue is full. */
  async run<T>(holder: string, work: () => Promise<T>, full: () => Error): Promise<T> {
    if (!this.#line.tryEnter(holder)) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      if (this.#line.wait(holder, () => resolve(undefined)) !== null) throw full();
      await promise;
    }
    try {
      return await work();
    } finally {
      this.#line.leave(holder);
    }
  }
}
