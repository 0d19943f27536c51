import { cacheByCount } from '../../kernel/cache.ts';
import type { Cache } from '../../kernel/cache.ts';
import type { Counter, CounterLimits } from '../../kernel/limited-counter.ts';
import type { Holder } from './holders.ts';
import { HASHES_KEPT } from './sizes.ts';
import type { SlotRules, Slots } from './slots.ts';
import { VALUE_MOST } from './words.ts';

export const COUNTER_RULES: SlotRules = {
  isOver: (value) => value === 0,
  takesOldest: false,
  begun: () => 0,
};

export interface CounterMemory {
  /** By thread, then slot. */
  readonly parts: Int32Array;
  /** The sum of all holders, then each thread's. */
  readonly totals: Int32Array;
}

export interface SharedParts {
  readonly thread: number;
  readonly holderOf: (name: string) => Holder;
  readonly monotonicMs: () => number;
}

/**
 * Counts of all threads' holders, and this thread's part of them, so that it can be undone when the
 * thread ends. A thread may be ended at any call (`Atomics` too) or loop: the change of a sum and
 * the plain write of this thread's part have neither between them.
 */
export class SharedCounter implements Counter {
  readonly #slots: Slots;
  readonly #parts: Int32Array;
  readonly #totals: Int32Array;
  readonly #shared: SharedParts;
  readonly #limits: CounterLimits;
  readonly #holders: Cache<Holder> = cacheByCount(HASHES_KEPT, 0);
  readonly #ownParts: number;
  readonly #ownTotal: number;

  constructor(slots: Slots, memory: CounterMemory, shared: SharedParts, limits: CounterLimits) {
    this.#slots = slots;
    this.#parts = memory.parts;
    this.#totals = memory.totals;
    this.#shared = shared;
    this.#limits = {
      each: Math.min(limits.each, VALUE_MOST),
      total: Math.min(limits.total, 2 ** 31 - 1),
    };
    this.#ownParts = shared.thread * slots.length;
    this.#ownTotal = 1 + shared.thread;
  }

  /** Also `total` where memory has no room for another holder. */
  add(of: string, amount = 1): keyof CounterLimits | null {
    const slots = this.#slots;
    const ms = tickOf(this.#shared.monotonicMs());
    const holder = this.#holder(of);
    let slot: number;
    do {
      slot = slots.findOrAdd(holder, ms);
      if (slot < 0) return 'total';
      if (slots.value + amount > this.#limits.each) return 'each';
    } while (!slots.swap(slot, Math.max(ms, slots.ms), slots.value + amount));
    const at = this.#ownParts + slot;
    this.#parts[at] = (this.#parts[at] ?? 0) + amount;
    if (this.#addTotal(amount)) return null;
    this.#subtract(slot, amount);
    return 'total';
  }

  remove(of: string, amount = 1): void {
    const slot = this.#slots.find(this.#holder(of));
    if (slot < 0) return;
    this.#subtract(slot, amount);
    Atomics.sub(this.#totals, 0, amount);
    this.#totals[this.#ownTotal] = (this.#totals[this.#ownTotal] ?? 0) - amount;
  }

  countOf(of: string): number {
    return this.#slots.find(this.#holder(of)) < 0 ? 0 : this.#slots.value;
  }

  #subtract(slot: number, amount: number): void {
    const at = this.#ownParts + slot;
    this.#slots.subtract(slot, amount);
    this.#parts[at] = (this.#parts[at] ?? 0) - amount;
  }

  #addTotal(amount: number): boolean {
    for (;;) {
      const total = Atomics.load(this.#totals, 0);
      if (total + amount > this.#limits.total) return false;
      if (Atomics.compareExchange(this.#totals, 0, total, total + amount) !== total) continue;
      this.#totals[this.#ownTotal] = (this.#totals[this.#ownTotal] ?? 0) + amount;
      return true;
    }
  }

  #holder(of: string): Holder {
    const known = this.#holders.get(of);
    if (known !== undefined) return known;
    const made = this.#shared.holderOf(of);
    this.#holders.set(of, made);
    return made;
  }
}

export function forgetCounts(slots: Slots, { parts, totals }: CounterMemory, thread: number): void {
  slots.forget(thread);
  for (let slot = 0; slot < slots.length; slot += 1) {
    const at = thread * slots.length + slot;
    if (parts[at] === 0) continue;
    slots.subtract(slot, Atomics.exchange(parts, at, 0));
  }
  Atomics.sub(totals, 0, Atomics.exchange(totals, 1 + thread, 0));
}

/** Starts at 1. */
export function tickOf(nowMs: number): number {
  return Math.floor(nowMs) + 1;
}
