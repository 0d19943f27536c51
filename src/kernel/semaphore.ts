/** Limits concurrent work and its queue, per holder and in total; the next is refused. */
import { FairLine } from './fair-line.ts';
import type { CounterLimits } from './limited-counter.ts';

export interface SemaphoreLimits {
  readonly atATime: number;
  readonly waiting: CounterLimits;
}

export class Semaphore {
  readonly #atATime: number;
  readonly #line: FairLine<() => void>;
  #taken = 0;

  constructor({ atATime, waiting }: SemaphoreLimits) {
    this.#atATime = atATime;
    this.#line = new FairLine(waiting);
  }

  /** Holders take turns. Throws the error of `full` when the queue is full. */
  async run<T>(holder: string, work: () => Promise<T>, full: () => Error): Promise<T> {
    if (this.#taken < this.#atATime) this.#taken += 1;
    else {
      // The permit passes directly to the next in the queue.
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const enter = (): void => resolve(undefined);
      if (this.#line.push(holder, enter) !== null) throw full();
      await promise;
    }
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }
}
