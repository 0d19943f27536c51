import { windowSize } from '../../kernel/burst.ts';
import type { RequestWindow, Share, WindowLimit } from '../../kernel/burst.ts';
import { tickOf } from './counters.ts';
import type { Holder } from './holders.ts';
import { MOMENTS } from './sizes.ts';
import type { SlotRules, Slots } from './slots.ts';
import { VALUE_MOST, lastRead, packed, readWord } from './words.ts';

const ROUNDS = (VALUE_MOST + 1) / MOMENTS;

/**
 * The value is the next request's number, in rounds of moments; a new holder begins two rounds
 * later.
 */
export function windowRules(windowMs: number): SlotRules {
  return {
    isOver: (_value, idleMs) => idleMs >= windowMs,
    takesOldest: true,
    begun: (last) => ((roundOf(last) + 2) % ROUNDS) * MOMENTS,
  };
}

/**
 * A ring of the latest requests' moments. A moment has its round's number: one of an earlier round
 * or holder is not counted.
 */
export class SharedWindow implements RequestWindow {
  readonly #slots: Slots;
  readonly #moments: BigInt64Array;
  readonly #holder: Holder;
  readonly #limit: WindowLimit;

  constructor(slots: Slots, moments: BigInt64Array, holder: Holder, limit: WindowLimit) {
    if (limit.limit > MOMENTS) throw new RangeError(`A window holds ${MOMENTS} moments.`);
    this.#slots = slots;
    this.#moments = moments;
    this.#holder = holder;
    this.#limit = limit;
  }

  remaining(share: Share, nowMs: number): number {
    const size = windowSize(this.#limit, share, nowMs);
    const slot = this.#slots.find(this.#holder);
    return slot < 0 ? Math.max(0, size) : Math.max(0, size - this.#counted(slot, tickOf(nowMs)));
  }

  /** The moment enters the ring first; the thread that then advances the number has taken it. */
  take(share: Share, nowMs: number): number {
    const slots = this.#slots;
    const size = windowSize(this.#limit, share, nowMs);
    for (;;) {
      const now = tickOf(nowMs);
      const slot = slots.findOrAdd(this.#holder, now);
      if (slot < 0) return 1000;
      const { ms, value } = slots;
      if (this.#isFull(slot, size, now)) return this.waitMs(share, nowMs);
      // Rounded up, so that none leaves early.
      const moment = Math.max(ms, Math.ceil(nowMs) + 1);
      this.#offer(slot, moment);
      if (slots.swap(slot, moment, (value + 1) & VALUE_MOST)) return 0;
    }
  }

  waitMs(share: Share, nowMs: number): number {
    const size = windowSize(this.#limit, share, nowMs);
    const slot = this.#slots.find(this.#holder);
    if (slot < 0 || size <= 0) return 1000;
    // The moment that must leave the window first.
    const leaving = this.#momentOf(slot, this.#slots.value - size);
    return leaving === null ? 1000 : Math.max(1, leaving + this.#limit.windowMs - nowMs);
  }

  resetMs(nowMs: number): number {
    const slot = this.#slots.find(this.#holder);
    if (slot < 0 || this.#momentOf(slot, this.#slots.value - 1) === null) return 0;
    return Math.max(0, this.#slots.ms - 1 + this.#limit.windowMs - nowMs);
  }

  #isFull(slot: number, size: number, now: number): boolean {
    if (size <= 0) return true;
    const moment = this.#momentOf(slot, this.#slots.value - size);
    return moment !== null && moment > now - 1 - this.#limit.windowMs;
  }

  #counted(slot: number, now: number): number {
    let least = 0;
    let most = Math.min(MOMENTS, this.#limit.limit);
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (this.#isFull(slot, middle, now)) least = middle;
      else most = middle - 1;
    }
    return least;
  }

  /** null: the moment is not this holder's. */
  #momentOf(slot: number, number: number): number | null {
    const nth = number & VALUE_MOST;
    readWord(Atomics.load(this.#moments, slot * MOMENTS + (nth % MOMENTS)));
    return lastRead.value === roundOf(nth) ? lastRead.ms - 1 : null;
  }

  #offer(slot: number, offered: number): void {
    const { ms, value } = this.#slots;
    const at = slot * MOMENTS + (value % MOMENTS);
    const entry = packed(offered, roundOf(value));
    for (;;) {
      const there = Atomics.load(this.#moments, at);
      readWord(there);
      const thereMs = lastRead.ms;
      const behind = (roundOf(value) - lastRead.value + ROUNDS) % ROUNDS;
      // The later of two moments stays longer in the window, never shorter.
      if (behind === 0 && thereMs >= offered) return;
      // A round has passed since, and the number is taken.
      if (behind > ROUNDS / 2 && thereMs > ms) return;
      if (Atomics.compareExchange(this.#moments, at, there, entry) === there) return;
    }
  }
}

function roundOf(value: number): number {
  return Math.floor(value / MOMENTS);
}
