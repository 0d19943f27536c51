/** So many at a time, and so many in line behind them; the next one is refused. */

export interface SemaphoreLimits {
  readonly atATime: number;
  readonly waiting: number;
}

export class Semaphore {
  readonly #limits: SemaphoreLimits;
  readonly #line: (() => void)[] = [];
  #taken = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  /** Throws what `full` makes where nobody may wait any more. */
  async run<T>(work: () => Promise<T>, full: () => Error): Promise<T> {
    if (this.#taken < this.#limits.atATime) this.#taken += 1;
    else {
      if (this.#line.length >= this.#limits.waiting) throw full();
      // The permit passes to the next in line without becoming free in between.
      await new Promise<void>((enter) => this.#line.push(enter));
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
