/** A hash table of fixed size in memory that threads share, in sets of slots. */
import { hash } from 'node:crypto';
import { SLOTS_IN_SET } from './limiter-memory.ts';
import type { TableMemory } from './limiter-memory.ts';

export interface Holder {
  /** Never 0, which is an empty slot's. */
  readonly key: number;
  readonly hash: number;
  /** The last known slot. */
  slot: number;
}

export function limiterHolder(secret: string, name: string): Holder {
  const digest = hash('sha256', `${secret} ${name}`, 'buffer');
  return { key: digest.readUIntLE(0, 6) + 1, hash: digest.readUInt32LE(8), slot: 0 };
}

const SPINS = 100;
/** Milliseconds that an owner may not have run. */
const MOST_WAITS = 1_000;
const LOCK = 0;
const FREE = 0;

/** Its word is its owner, so that an ended thread's can be released. */
export class OwnedLock {
  readonly #word: Int32Array;
  readonly #own: number;
  readonly #isAlone: boolean;
  #stopped = FREE;

  constructor(word: Int32Array, thread: number, threads: number) {
    this.#word = word;
    this.#own = thread + 1;
    this.#isAlone = threads === 1;
  }

  /** False where a stopped thread holds it: then refuse. The first thread must return to end it. */
  enter(): boolean {
    if (this.#isAlone || this.#take() === FREE) return true;
    return this.#wait();
  }

  leave(): void {
    if (!this.#isAlone) Atomics.store(this.#word, LOCK, FREE);
  }

  #wait(): boolean {
    for (let n = 0; n < SPINS; n += 1) if (this.#take() === FREE) return true;
    let waits = 0;
    while (waits < MOST_WAITS) {
      const owner = this.#take();
      if (owner === FREE) return true;
      if (owner === this.#stopped) return false;
      // Its owner is not running. A clock would count this process's own stops.
      if (Atomics.wait(this.#word, LOCK, owner, 1) === 'timed-out') waits += 1;
    }
    this.#stopped = Atomics.load(this.#word, LOCK);
    return false;
  }

  /** The other owner; one that threw has it still. */
  #take(): number {
    const owner = Atomics.compareExchange(this.#word, LOCK, FREE, this.#own);
    if (owner !== FREE && owner !== this.#own) return owner;
    this.#stopped = FREE;
    return FREE;
  }
}

export function releaseLock(word: Int32Array, thread: number): void {
  Atomics.compareExchange(word, LOCK, thread + 1, FREE);
}

/** Change it with its lock. Each write leaves it safe, as a thread may be ended after any. */
export class Table {
  readonly lock: OwnedLock;
  readonly ms: Float64Array;
  readonly values: Float64Array;
  readonly more: Float64Array;
  readonly #keys: Float64Array;
  readonly #sets: number;
  readonly #begun: number;

  /** `begun`: a new holder's value. */
  constructor({ keys, ms, values, more }: TableMemory, lock: OwnedLock, begun = 0) {
    this.lock = lock;
    this.ms = ms;
    this.values = values;
    this.more = more;
    this.#keys = keys;
    this.#sets = keys.length / SLOTS_IN_SET;
    this.#begun = begun;
  }

  get length(): number {
    return this.#keys.length;
  }

  /** -1: none. */
  find(holder: Holder): number {
    const keys = this.#keys;
    const { key } = holder;
    if (keys[holder.slot] === key) return holder.slot;
    const first = this.#firstOf(holder);
    for (let slot = first; slot < first + SLOTS_IN_SET; slot += 1) {
      if (keys[slot] !== key) continue;
      holder.slot = slot;
      return slot;
    }
    return -1;
  }

  /** Where the set is full, in place of its oldest that `isFree`; -1: none is. */
  findOrAdd(holder: Holder, nowMs: number, isFree?: (slot: number) => boolean): number {
    const found = this.find(holder);
    return found >= 0 ? found : this.#add(holder, nowMs, isFree);
  }

  #firstOf({ hash }: Holder): number {
    return (hash % this.#sets) * SLOTS_IN_SET;
  }

  #add(holder: Holder, nowMs: number, isFree: (slot: number) => boolean = () => true): number {
    const keys = this.#keys;
    const first = this.#firstOf(holder);
    let added = -1;
    for (let slot = first; slot < first + SLOTS_IN_SET; slot += 1) {
      if (keys[slot] === 0) {
        added = slot;
        break;
      }
      const isOlder = added < 0 || (this.ms[slot] ?? 0) < (this.ms[added] ?? 0);
      if (isOlder && isFree(slot)) added = slot;
    }
    if (added < 0) return -1;
    keys[added] = 0;
    this.ms[added] = nowMs;
    this.values[added] = this.#begun;
    keys[added] = holder.key;
    holder.slot = added;
    return added;
  }
}
