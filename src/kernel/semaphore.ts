/** Limits concurrent work and its queue, per holder and in total. */
import type { Counter, CounterLimits } from './limited-counter.ts';
import { PermitLine } from './permit-line.ts';
import type { Permits } from './permits.ts';

export class Semaphore {
  readonly #line: PermitLine;

  /** `holders`: permits of each holder. */
  constructor(permits: Permits, waiting: CounterLimits, holders?: Counter) {
    this.#line = new PermitLine(permits, waiting, holders);
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
