import type { PeriodSum } from '../../kernel/period-sum.ts';
import { tickOf } from './counters.ts';
import type { Holder } from './holders.ts';
import type { SlotRules, Slots } from './slots.ts';
import { VALUE_MOST } from './words.ts';

/** A slot's milliseconds are its period's beginning. */
export function sumRules(periodMs: number): SlotRules {
  return {
    isOver: (value, idleMs) => value === 0 || idleMs >= periodMs,
    takesOldest: true,
    begun: () => 0,
  };
}

export class SharedPeriodSum implements PeriodSum {
  readonly #slots: Slots;
  readonly #holder: Holder;
  readonly #periodMs: number;

  constructor(slots: Slots, holder: Holder, periodMs: number) {
    this.#slots = slots;
    this.#holder = holder;
    this.#periodMs = periodMs;
  }

  take(units: number, most: number, nowMs: number): boolean {
    const slots = this.#slots;
    const now = tickOf(nowMs);
    for (;;) {
      const slot = slots.findOrAdd(this.#holder, now);
      if (slot < 0) return false;
      const { ms } = slots;
      const used = this.#usedAt(now);
      if (used + units > most) return false;
      const begin = now - ms < this.#periodMs ? ms : now;
      if (slots.swap(slot, begin, Math.min(VALUE_MOST, used + units))) return true;
    }
  }

  giveBack(units: number): void {
    const slots = this.#slots;
    for (;;) {
      const slot = slots.find(this.#holder);
      if (slot < 0 || slots.swap(slot, slots.ms, Math.max(0, slots.value - units))) return;
    }
  }

  left(most: number, nowMs: number): number {
    return Math.max(0, most - this.#used(nowMs));
  }

  leftMs(nowMs: number): number {
    if (this.#used(nowMs) === 0) return 0;
    return this.#slots.ms - 1 + this.#periodMs - nowMs;
  }

  #used(nowMs: number): number {
    return this.#slots.find(this.#holder) < 0 ? 0 : this.#usedAt(tickOf(nowMs));
  }

  #usedAt(now: number): number {
    return now - this.#slots.ms < this.#periodMs ? this.#slots.value : 0;
  }
}
