/** A period begins with its first unit. */
export interface PeriodSum {
  /** False, and nothing taken, where the sum would exceed `most`. */
  take(units: number, most: number, nowMs: number): boolean;
  giveBack(units: number): void;
  left(most: number, nowMs: number): number;
  /** Milliseconds until the period ends; 0: nothing is used. */
  leftMs(nowMs: number): number;
}

export class LocalPeriodSum implements PeriodSum {
  readonly #periodMs: number;
  #units = 0;
  #endsMs = -Infinity;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  take(units: number, most: number, nowMs: number): boolean {
    if (units > this.left(most, nowMs)) return false;
    if (nowMs >= this.#endsMs) {
      this.#units = 0;
      this.#endsMs = nowMs + this.#periodMs;
    }
    this.#units += units;
    return true;
  }

  giveBack(units: number): void {
    this.#units = Math.max(0, this.#units - units);
  }

  left(most: number, nowMs: number): number {
    return Math.max(0, most - this.#used(nowMs));
  }

  leftMs(nowMs: number): number {
    return this.#used(nowMs) === 0 ? 0 : this.#endsMs - nowMs;
  }

  #used(nowMs: number): number {
    return nowMs < this.#endsMs ? this.#units : 0;
  }
}
