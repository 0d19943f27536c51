import { FairLine } from './fair-line.ts';
import type { CounterLimits } from './limited-counter.ts';
import type { Permits } from './permits.ts';

/** This thread's line for permits, in which holders take turns. */
export class PermitLine {
  readonly #permits: Permits;
  readonly #line: FairLine<() => void>;

  constructor(permits: Permits, waiting: CounterLimits) {
    this.#permits = permits;
    this.#line = new FairLine(waiting);
  }

  get waiting(): number {
    return this.#line.size;
  }

  tryEnter(): boolean {
    return this.#line.size === 0 && this.#permits.take();
  }

  /** Calls `enter` with its turn. Else the limit of the line that would be passed. */
  wait(holder: string, enter: () => void): keyof CounterLimits | null {
    const full = this.#line.push(holder, enter);
    if (full === null) this.#permits.whenGiven(this.#admit);
    return full;
  }

  giveUp(holder: string, enter: () => void): void {
    this.#line.remove(holder, enter);
  }

  leave(): void {
    if (this.#permits.give()) this.#admit();
    else if (this.#line.size > 0) this.#permits.whenGiven(this.#admit);
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
