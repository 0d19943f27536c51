import { capacity, missingMs, regained } from '../../kernel/burst.ts';
import type { Rate, Share, TokenBucket } from '../../kernel/burst.ts';
import { tickOf } from './counters.ts';
import type { Holder } from './holders.ts';
import type { SlotRules, Slots } from './slots.ts';
import { VALUE_MOST } from './words.ts';

/** So that 2 × 100,000 tokens fit; rounding down loses at most a thousandth. */
const TOKEN = 1_024;
/**
 * A burst of two seconds (D60) is full again after two, after twice as much under any change of
 * shares.
 */
const FULL_MS = 4_000;

export const BUCKET_RULES: SlotRules = {
  isOver: (_value, idleMs) => idleMs >= FULL_MS,
  takesOldest: true,
  begun: () => VALUE_MOST,
};

/** Level and time are one word. A refusal changes nothing. */
export class SharedBucket implements TokenBucket {
  readonly #slots: Slots;
  readonly #holder: Holder;

  constructor(slots: Slots, holder: Holder) {
    this.#slots = slots;
    this.#holder = holder;
  }

  take(rate: Rate, share: Share, nowMs: number, amount = 1): number {
    const slots = this.#slots;
    const now = tickOf(nowMs);
    for (;;) {
      const slot = slots.findOrAdd(this.#holder, now);
      if (slot < 0) return missingMs(0, amount, rate, share);
      const level = this.#levelAt(rate, share, now);
      if (level < amount) return missingMs(level, amount, rate, share);
      const left = Math.floor((level - amount) * TOKEN);
      if (slots.swap(slot, Math.max(now, slots.ms), left)) return 0;
    }
  }

  give(): void {
    const slots = this.#slots;
    for (;;) {
      const slot = slots.find(this.#holder);
      if (slot < 0) return;
      if (slots.swap(slot, slots.ms, Math.min(VALUE_MOST, slots.value + TOKEN))) return;
    }
  }

  level(rate: Rate, share: Share, nowMs: number): number {
    const now = tickOf(nowMs);
    if (this.#slots.find(this.#holder) < 0) return capacity(share, rate, now - 1);
    return this.#levelAt(rate, share, now);
  }

  #levelAt(rate: Rate, share: Share, now: number): number {
    const { ms, value } = this.#slots;
    const level = value / TOKEN + regained(rate, share, ms - 1, now - 1);
    return Math.min(capacity(share, rate, now - 1), level);
  }
}
