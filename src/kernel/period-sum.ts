import type { Holder, Table } from './limiter-table.ts';

/** A period begins with its first unit. */
export interface PeriodSum {
  /** False, taking nothing, past `most` or without the lock. */
  take(units: number, most: number, nowMs: number): boolean;
  giveBack(units: number): void;
  left(most: number, nowMs: number): number;
  /** Milliseconds until the period ends; 0: nothing is used. */
  leftMs(nowMs: number): number;
}

/** A slot's milliseconds are its period's end. */
export class SharedPeriodSum implements PeriodSum {
  readonly #table: Table;
  readonly #holder: Holder;
  readonly #periodMs: number;

  constructor(table: Table, holder: Holder, periodMs: number) {
    this.#table = table;
    this.#holder = holder;
    this.#periodMs = periodMs;
  }

  take(units: number, most: number, nowMs: number): boolean {
    const { lock, ms, values } = this.#table;
    if (!lock.enter()) return false;
    const slot = this.#table.findOrAdd(this.#holder, nowMs);
    const used = this.#usedOf(slot, nowMs) + units;
    if (used <= most) {
      values[slot] = used;
      if (nowMs >= (ms[slot] ?? 0)) ms[slot] = nowMs + this.#periodMs;
    }
    lock.leave();
    return used <= most;
  }

  giveBack(units: number): void {
    const { lock, values } = this.#table;
    const slot = this.#table.find(this.#holder);
    if (slot < 0 || !lock.enter()) return;
    values[slot] = Math.max(0, (values[slot] ?? 0) - units);
    lock.leave();
  }

  left(most: number, nowMs: number): number {
    return Math.max(0, most - this.#used(nowMs));
  }

  leftMs(nowMs: number): number {
    const slot = this.#table.find(this.#holder);
    return this.#usedOf(slot, nowMs) === 0 ? 0 : (this.#table.ms[slot] ?? 0) - nowMs;
  }

  #used(nowMs: number): number {
    return this.#usedOf(this.#table.find(this.#holder), nowMs);
  }

  #usedOf(slot: number, nowMs: number): number {
    const { ms, values } = this.#table;
    return nowMs < (ms[slot] ?? 0) ? (values[slot] ?? 0) : 0;
  }
}
