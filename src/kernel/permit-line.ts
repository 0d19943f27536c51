import { FairLine } from './fair-line.ts';
import type { Counter, CounterLimits } from './limited-counter.ts';
import type { Permits } from './permits.ts';

const LOOK_MS = 50;

export class PermitLine {
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

  get waiting(): number {
    return this.#line.size;
  }

  tryEnter(holder = ''): boolean {
    return this.#line.size === 0 && this.#take(holder);
  }

  /** Calls `enter` with its turn, or returns the limit that the queue would exceed. */
  wait(holder: string, enter: () => void): keyof CounterLimits | null {
    const full = this.#line.push(holder, enter);
    if (full === null && this.#holders !== null) this.#admit();
    else if (full === null) this.#permits.whenGiven(this.#admit);
    return full;
  }

  giveUp(holder: string, enter: () => void): void {
    this.#line.remove(holder, enter);
  }

  leave(holder = ''): void {
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
        this.#wait();
        return;
      }
      enter();
    }
  };

  #wait(): void {
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
