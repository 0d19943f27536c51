/**
 * Requests per second (D60) and per minute of a client address (D68), each divided between the live
 * processes. Pure arithmetic over a given time.
 */

/**
 * This process's share of every limit. A larger share starts at the old capacity: what others let through
 * stays counted.
 */
export interface Share {
  /** 0: none yet. */
  readonly fraction: number;
  readonly before: number;
  readonly sinceMs: number;
}

export const NO_SHARE: Share = { fraction: 0, before: 0, sinceMs: 0 };

/** The longest window of a limit: after it an earlier share has no effect. */
const SETTLED_MS = 60_000;

/** The next share. `sinceMs`: when others last used what is added; unused for a first one. */
export function nextShare(share: Share, fraction: number, sinceMs: number): Share {
  if (fraction === share.fraction) return share;
  const settled = sinceMs - share.sinceMs >= SETTLED_MS;
  const full = settled ? share.fraction : Math.min(share.fraction, share.before);
  return { fraction, before: Math.min(fraction, full), sinceMs };
}

/** Capacity of a limit of `size`, filled at `perMs`, at a moment under a share. */
function capacity(share: Share, { size, perMs }: Rate, nowMs: number): number {
  const { fraction, before, sinceMs } = share;
  return Math.min(size * fraction, size * before + perMs * fraction * Math.max(0, nowMs - sinceMs));
}

export interface Rate {
  /** Requests at once. */
  readonly size: number;
  /** Requests regained per millisecond. */
  readonly perMs: number;
}

/** A plan's burst limit: a token bucket of two seconds' worth (D60). */
export function burstRate(requestsPerSecond: number): Rate {
  return { size: 2 * requestsPerSecond, perMs: requestsPerSecond / 1000 };
}

/** New ones are as full as the share allows. */
export class Bucket {
  #level = Infinity;
  #atMs = 0;

  /** Takes one. Returns 0, or the milliseconds until there is one. */
  take(rate: Rate, share: Share, nowMs: number): number {
    const level = this.level(rate, share, nowMs);
    this.#atMs = nowMs;
    if (level >= 1) {
      this.#level = level - 1;
      return 0;
    }
    this.#level = level;
    return Math.max(1, (1 - level) / (rate.perMs * share.fraction));
  }

  give(): void {
    this.#level += 1;
  }

  /** Tokens in it, fractions included. */
  level(rate: Rate, share: Share, nowMs: number): number {
    const { fraction, before, sinceMs } = share;
    // Until the share began others may have used the addition, so it filled at the old rate.
    const earlierMs = Math.max(0, Math.min(sinceMs, nowMs) - this.#atMs);
    const sinceThenMs = Math.max(0, nowMs - Math.max(sinceMs, this.#atMs));
    const back = rate.perMs * (fraction * sinceThenMs + Math.min(fraction, before) * earlierMs);
    return Math.min(capacity(share, rate, nowMs), this.#level + back);
  }
}

/**
 * Moments of the latest requests: never more than the limit in any window at a constant share. A new
 * process fills to its share over one window: it does not know what others saw.
 */
export class Window {
  readonly #rate: Rate;
  readonly #windowMs: number;
  #moments: number[] = [];

  constructor(limit: number, windowMs: number) {
    this.#rate = { size: limit, perMs: limit / windowMs };
    this.#windowMs = windowMs;
  }

  remaining(share: Share, nowMs: number): number {
    this.#forget(nowMs);
    return Math.max(0, Math.floor(capacity(share, this.#rate, nowMs)) - this.#moments.length);
  }

  take(nowMs: number): void {
    this.#moments.push(nowMs);
  }

  /** Milliseconds until one more passes; a second while the share still fills. */
  waitMs(share: Share, nowMs: number): number {
    const over = this.#moments.length - Math.floor(capacity(share, this.#rate, nowMs));
    const leaving = this.#moments[over];
    return leaving === undefined ? 1000 : Math.max(1, leaving + this.#windowMs - nowMs);
  }

  /** Milliseconds until it is full again. */
  resetMs(nowMs: number): number {
    const latest = this.#moments.at(-1);
    return latest === undefined ? 0 : Math.max(0, latest + this.#windowMs - nowMs);
  }

  #forget(nowMs: number): void {
    const from = nowMs - this.#windowMs;
    let gone = 0;
    while (gone < this.#moments.length && (this.#moments[gone] ?? 0) <= from) gone++;
    if (gone > 0) this.#moments = this.#moments.slice(gone);
  }
}
