import { cacheByCount } from './cache.ts';
import type { Cache } from './cache.ts';
import type { TableMemory } from './limiter-memory.ts';
import type { Holder, Table } from './limiter-table.ts';
import { remember } from './remember.ts';

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

export interface CounterParts {
  readonly thread: number;
  readonly holderOf: (name: string) => Holder;
}

/** Holders counted at a time by this thread, whose hashes it remembers. */
const HOLDERS_KEPT = 4_096;

/**
 * Counts what each thread has of each holder: what an ended one had is cleared, and a thread gives
 * back without the lock.
 */
export class LimitedCounter implements Counter {
  readonly #table: Table;
  readonly #limits: CounterLimits;
  readonly #holderOf: (name: string) => Holder;
  readonly #holders: Cache<Holder> = cacheByCount(HOLDERS_KEPT, 0);
  readonly #row: number;
  readonly #own: number;

  constructor(table: Table, shared: CounterParts, limits: CounterLimits) {
    this.#table = table;
    this.#limits = limits;
    this.#holderOf = shared.holderOf;
    this.#row = table.length + 1;
    this.#own = this.#row * shared.thread;
  }

  /** Also `total` where memory has no room for another holder. */
  add(of: string, amount = 1): keyof CounterLimits | null {
    const { lock } = this.#table;
    if (!lock.enter()) return 'total';
    const full = this.#add(this.#holder(of), amount);
    lock.leave();
    return full;
  }

  remove(of: string, amount = 1): void {
    const slot = this.#table.find(this.#holder(of));
    if (slot >= 0) this.#change(slot, -Math.min(amount, this.#parts[this.#own + slot] ?? 0));
  }

  countOf(of: string): number {
    const slot = this.#table.find(this.#holder(of));
    return slot < 0 ? 0 : this.#sum(slot);
  }

  get #parts(): Float64Array {
    return this.#table.more;
  }

  #add(holder: Holder, amount: number): keyof CounterLimits | null {
    const slot = this.#table.findOrAdd(holder, 0, this.#isFree);
    if (slot < 0) return 'total';
    if (this.#sum(slot) + amount > this.#limits.each) return 'each';
    if (this.#sum(this.#table.length) + amount > this.#limits.total) return 'total';
    this.#change(slot, amount);
    return null;
  }

  readonly #isFree = (slot: number): boolean => this.#sum(slot) === 0;

  /** Of all threads; past the slots, of all holders. */
  #sum(slot: number): number {
    const parts = this.#parts;
    let sum = 0;
    for (let at = slot; at < parts.length; at += this.#row) sum += parts[at] ?? 0;
    return sum;
  }

  #change(slot: number, amount: number): void {
    const parts = this.#parts;
    const total = this.#own + this.#row - 1;
    parts[this.#own + slot] = (parts[this.#own + slot] ?? 0) + amount;
    parts[total] = (parts[total] ?? 0) + amount;
  }

  #holder(of: string): Holder {
    return remember(this.#holders, of, () => this.#holderOf(of));
  }
}

export function forgetCounts({ more }: TableMemory, thread: number, threads: number): void {
  const row = more.length / threads;
  more.fill(0, row * thread, row * (thread + 1));
}
