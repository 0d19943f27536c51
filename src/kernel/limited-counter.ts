export interface CounterLimits {
  readonly each: number;
  readonly total: number;
}

export interface Counter {
  /** null: added. Else the limit that it would exceed; nothing is added. */
  add(of: string, amount?: number): keyof CounterLimits | null;
  remove(of: string, amount?: number): void;
  countOf(of: string): number;
}

export class LimitedCounter implements Counter {
  readonly #limits: CounterLimits;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(limits: CounterLimits) {
    this.#limits = limits;
  }

  add(of: string, amount = 1): keyof CounterLimits | null {
    const count = (this.#counts.get(of) ?? 0) + amount;
    if (count > this.#limits.each) return 'each';
    if (this.#total + amount > this.#limits.total) return 'total';
    this.#counts.set(of, count);
    this.#total += amount;
    return null;
  }

  remove(of: string, amount = 1): void {
    this.#total -= amount;
    const count = (this.#counts.get(of) ?? 0) - amount;
    if (count > 0) this.#counts.set(of, count);
    else this.#counts.delete(of);
  }

  countOf(of: string): number {
    return this.#counts.get(of) ?? 0;
  }
}
