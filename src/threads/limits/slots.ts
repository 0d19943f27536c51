/**
 * A lock-free hash table of fixed size in shared memory: a thread that stops anywhere blocks no
 * other. A slot's state is one word: a value, and milliseconds that grow with each new holder, so
 * that a change for an earlier one fails. Inserts as Purcell and Harris (Non-blocking hashtables
 * with open addressing, 2005).
 */
import { insertedBy, isInsertedBy, isKeyOf } from './holders.ts';
import type { Holder } from './holders.ts';
import { SLOTS_IN_SET } from './sizes.ts';
import { lastRead, packed, packedClaim, readWord } from './words.ts';

export interface SlotMemory {
  readonly keys: BigInt64Array;
  readonly states: BigInt64Array;
  /** By thread: the slot claimed last. */
  readonly claims: Int32Array;
}

export interface SlotRules {
  readonly isOver: (value: number, idleMs: number) => boolean;
  /** Where none has expired: whether the least recently changed is reused. */
  readonly takesOldest: boolean;
  /** A new holder's value, from the slot's last one. */
  readonly begun: (last: number) => number;
}

const EMPTY = 0n;
const NO_KEY = 0n;
const ROUNDS = 1_000;

export class Slots {
  readonly #keys: BigInt64Array;
  /** The keys again, cheaper to compare: no two share a half. */
  readonly #keyHalves: Int32Array;
  readonly #states: BigInt64Array;
  readonly #claims: Int32Array;
  readonly #rules: SlotRules;
  readonly #thread: number;
  readonly #sets: number;
  /** State of the slot found last. */
  ms = 0;
  value = 0;
  #state = EMPTY;
  #isClaimed = false;

  constructor(memory: SlotMemory, rules: SlotRules, thread: number) {
    this.#keys = memory.keys;
    const { buffer, byteOffset, length } = memory.keys;
    this.#keyHalves = new Int32Array(buffer, byteOffset, 2 * length);
    this.#states = memory.states;
    this.#claims = memory.claims;
    this.#rules = rules;
    this.#thread = thread;
    this.#sets = this.#keys.length / SLOTS_IN_SET;
  }

  get length(): number {
    return this.#keys.length;
  }

  /** Sets `ms` and `value`; -1: none. */
  find(holder: Holder): number {
    if (holder.slot >= 0 && this.#read(holder.slot, holder)) return holder.slot;
    const first = this.#firstOf(holder);
    for (let slot = first; slot < first + SLOTS_IN_SET; slot += 1) {
      if (this.#keyHalves[2 * slot] !== holder.low || !this.#read(slot, holder)) continue;
      holder.slot = slot;
      return slot;
    }
    holder.slot = -1;
    return -1;
  }

  /** -1: no room. */
  findOrAdd(holder: Holder, ms: number): number {
    for (let round = 0; round < ROUNDS; round += 1) {
      const slot = this.find(holder);
      if (slot >= 0) return slot;
      const claimed = this.#claim(this.#firstOf(holder), ms);
      if (claimed === 'full') return -1;
      if (claimed !== null) this.#insert(holder, claimed, ms);
    }
    return -1;
  }

  /** false: another thread changed it first. */
  swap(slot: number, ms: number, value: number): boolean {
    return this.#replace(slot, this.#state, packed(ms, value));
  }

  /** For a slot that cannot get another holder meanwhile. */
  subtract(slot: number, amount: number): void {
    do this.#unpack(Atomics.load(this.#states, slot));
    while (!this.swap(slot, this.ms, Math.max(0, this.value - amount)));
  }

  forget(thread: number): void {
    const slot = Atomics.load(this.#claims, thread);
    const key = Atomics.load(this.#keys, slot);
    if (isInsertedBy(thread, key)) Atomics.compareExchange(this.#keys, slot, key, NO_KEY);
    if (Atomics.load(this.#states, slot) !== packedClaim(thread)) return;
    Atomics.store(this.#keys, slot, NO_KEY);
    Atomics.store(this.#states, slot, EMPTY);
  }

  #firstOf({ hash }: Holder): number {
    return (hash % this.#sets) * SLOTS_IN_SET;
  }

  /** The key is read after the state: an unchanged state is then this holder's. */
  #read(slot: number, { low, high }: Holder): boolean {
    const state = Atomics.load(this.#states, slot);
    if (this.#keyHalves[2 * slot] !== low || this.#keyHalves[2 * slot + 1] !== high) return false;
    this.#unpack(state);
    return !this.#isClaimed;
  }

  #unpack(state: bigint): void {
    this.#state = state;
    readWord(state);
    this.ms = lastRead.ms;
    this.value = lastRead.value;
    this.#isClaimed = lastRead.isClaimed;
  }

  #replace(slot: number, from: bigint, to: bigint): boolean {
    return Atomics.compareExchange(this.#states, slot, from, to) === from;
  }

  /** null: another thread was first. */
  #claim(first: number, ms: number): { slot: number; last: number } | 'full' | null {
    let oldest = -1;
    let oldestMs = ms;
    let oldestState = EMPTY;
    let last = 0;
    for (let slot = first; slot < first + SLOTS_IN_SET; slot += 1) {
      this.#unpack(Atomics.load(this.#states, slot));
      const isFree = this.#state === EMPTY || this.#isOver(ms);
      // Never one of this millisecond, whose state could equal the next holder's.
      const isOlder = this.#rules.takesOldest && this.ms < oldestMs && !this.#isClaimed;
      if (!isFree && !isOlder) continue;
      oldest = slot;
      oldestMs = this.ms;
      oldestState = this.#state;
      last = this.value;
      if (isFree) break;
    }
    if (oldest < 0) return 'full';
    Atomics.store(this.#claims, this.#thread, oldest);
    const claim = packedClaim(this.#thread);
    return this.#replace(oldest, oldestState, claim) ? { slot: oldest, last } : null;
  }

  #isOver(ms: number): boolean {
    return !this.#isClaimed && this.ms < ms && this.#rules.isOver(this.value, ms - this.ms);
  }

  #insert(holder: Holder, { slot, last }: { slot: number; last: number }, ms: number): void {
    const inserting = insertedBy(this.#thread, holder);
    Atomics.store(this.#keys, slot, inserting);
    Atomics.store(this.#states, slot, packed(ms, this.#rules.begun(last)));
    const first = this.#firstOf(holder);
    for (let other = first; other < first + SLOTS_IN_SET; other += 1) {
      if (other === slot || this.#isWithdrawn(other, holder)) continue;
      Atomics.compareExchange(this.#keys, slot, inserting, NO_KEY);
      return;
    }
    Atomics.compareExchange(this.#keys, slot, inserting, holder.member);
  }

  /** Withdraws another thread's insertion; true: the slot is not the holder's. */
  #isWithdrawn(slot: number, holder: Holder): boolean {
    for (;;) {
      const key = Atomics.load(this.#keys, slot);
      if (!isKeyOf(holder, key)) return true;
      // A member being replaced no longer counts.
      if (key === holder.member) return !this.#read(slot, holder);
      if (Atomics.compareExchange(this.#keys, slot, key, NO_KEY) === key) return true;
    }
  }
}
