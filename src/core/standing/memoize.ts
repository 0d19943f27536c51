import type { Clock } from '../../kernel/clock.ts';
import { LIMITS } from '../../kernel/limits.ts';

/** Keeps the last result for `LIMITS.freshReaderMs`. */
export class Memoized<A, B, Made> {
  readonly #clock: Clock;
  readonly #make: (a: A, b: B, nowMs: number) => Made;
  #last: { readonly a: A; readonly b: B; readonly made: Made; readonly atMs: number } | null = null;

  constructor(clock: Clock, make: (a: A, b: B, nowMs: number) => Made) {
    this.#clock = clock;
    this.#make = make;
  }

  of(a: A, b: B): Made {
    const nowMs = this.#clock.nowMs();
    const last = this.#last;
    if (last !== null && last.a === a && last.b === b) {
      const sinceMs = nowMs - last.atMs;
      if (sinceMs >= 0 && sinceMs < LIMITS.freshReaderMs) return last.made;
    }
    const made = this.#make(a, b, nowMs);
    this.#last = { a, b, made, atMs: nowMs };
    return made;
  }
}
