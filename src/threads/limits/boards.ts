import type { OutageBoard, ShareBoard } from '../../kernel/limiters.ts';
import type { Share } from '../../kernel/burst.ts';
import { SHARES_KEPT } from './sizes.ts';

const NUMBERS = 3;

/** A ring of the latest shares: only a whole round of changes disturbs a reader. */
export class SharedShare implements ShareBoard {
  readonly #count: Int32Array;
  readonly #shares: Float64Array;
  #read: Share = { fraction: 0, before: 0, sinceMs: 0 };
  #readAt = 0;

  constructor(count: Int32Array, shares: Float64Array) {
    this.#count = count;
    this.#shares = shares;
  }

  read(): Share {
    for (;;) {
      const count = Atomics.load(this.#count, 0);
      if (count === this.#readAt) return this.#read;
      const at = (count % SHARES_KEPT) * NUMBERS;
      const [fraction = 0, before = 0, sinceMs = 0] = this.#shares.subarray(at, at + NUMBERS);
      if (Atomics.load(this.#count, 0) - count >= SHARES_KEPT - 1) continue;
      this.#readAt = count;
      this.#read = { fraction, before, sinceMs };
    }
  }

  write({ fraction, before, sinceMs }: Share): void {
    const count = Atomics.load(this.#count, 0) + 1;
    this.#shares.set([fraction, before, sinceMs], (count % SHARES_KEPT) * NUMBERS);
    Atomics.store(this.#count, 0, count);
  }
}

/** One word: the outage's number, and a bit for each thread that is in it. */
export class SharedOutages implements OutageBoard {
  readonly #word: BigInt64Array;
  readonly #bit: bigint;
  #own: number | null = null;

  constructor(word: BigInt64Array, thread: number) {
    this.#word = word;
    this.#bit = 1n << BigInt(thread);
  }

  during(own: number): number {
    // A thread's new outage is a new one for all, unless others are still in one.
    if (this.#own !== own) this.over();
    this.#own = own;
    const now = changed(this.#word, (word) => {
      if ((word & this.#bit) !== 0n) return word;
      return ((word & THREADS) === 0n ? word + THREADS + 1n : word) | this.#bit;
    });
    return Number(now >> THREAD_BITS);
  }

  over(): void {
    if (this.#own === null) return;
    this.#own = null;
    leaveOutage(this.#word, this.#bit);
  }
}

const THREAD_BITS = 32n;
const THREADS = (1n << THREAD_BITS) - 1n;

export function leaveOutage(word: BigInt64Array, bit: bigint): void {
  changed(word, (now) => now & ~bit);
}

function changed(word: BigInt64Array, next: (now: bigint) => bigint): bigint {
  for (;;) {
    const now = Atomics.load(word, 0);
    const to = next(now);
    if (to === now || Atomics.compareExchange(word, 0, now, to) === now) return to;
  }
}
