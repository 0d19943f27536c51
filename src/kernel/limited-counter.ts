/** How much of something each of many (accounts, clients) has at a time: bounded for one, and for all. */
export interface CounterLimits {
  readonly each: number;
  readonly total: number;
}

export class LimitedCounter {
  readonly #limits: CounterLimits;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(limits: CounterLimits) {
    this.#limits = limits;
  }

  /** Counts so much more; else which limit that would pass, and nothing is counted. */
  add(of: string, amount = 1): keyof CounterLimits | null {
    const count = (this.#counts.get(of) ?? 0) + amount;
    if (count > this.#limits.each) return 'each';
    if (this.#total + amount > this.#limits.total) return 'total';
    this.#counts.set(of, count);
    this.#total += amount;
    return null;
  }

  /** Counts so much less of what was counted. */
  remove(of: string, amount = 1): void {
    this.#total -= amount;
    const count = (this.#counts.get(of) ?? 0) - amount;
    if (count > 0) this.#counts.set(of, count);
    else this.#counts.delete(of);
  }
}
