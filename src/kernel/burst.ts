/**
 * Requests per second (D60) and per client address and minute (D68), divided between live
 * processes.
 */

/** This process's share of every limit. A larger share starts at the old capacity. */
export interface Share {
  readonly fraction: number;
  readonly before: number;
  readonly sinceMs: number;
}

export const NO_SHARE: Share = { fraction: 0, before: 0, sinceMs: 0 };

export const WHOLE_SHARE: Share = { fraction: 1, before: 1, sinceMs: -Infinity };

/** An earlier share has no effect after this. */
const SETTLED_MS = 60_000;

export function nextShare(share: Share, fraction: number, sinceMs: number): Share {
  if (fraction === share.fraction) return share;
  const settled = sinceMs - share.sinceMs >= SETTLED_MS;
  const full = settled ? share.fraction : Math.min(share.fraction, share.before);
  return { fraction, before: Math.min(fraction, full), sinceMs };
}

export function capacity(share: Share, { size, perMs }: Rate, nowMs: number): number {
  const { fraction, before, sinceMs } = share;
  return Math.min(size * fraction, size * before + perMs * fraction * Math.max(0, nowMs - sinceMs));
}

export interface Rate {
  readonly size: number;
  readonly perMs: number;
}

/** A token bucket of two seconds' worth (D60). */
export function burstRate(requestsPerSecond: number): Rate {
  return { size: 2 * requestsPerSecond, perMs: requestsPerSecond / 1000 };
}

export function regained(rate: Rate, share: Share, atMs: number, nowMs: number): number {
  const { fraction, before, sinceMs } = share;
  // Until the share began others may have used the addition, so it filled at the old rate.
  const earlierMs = Math.max(0, Math.min(sinceMs, nowMs) - atMs);
  const sinceThenMs = Math.max(0, nowMs - Math.max(sinceMs, atMs));
  return rate.perMs * (fraction * sinceThenMs + Math.min(fraction, before) * earlierMs);
}

export function missingMs(level: number, amount: number, rate: Rate, share: Share): number {
  return Math.max(1, (amount - level) / (rate.perMs * share.fraction));
}

export interface TokenBucket {
  /** Returns 0, or the milliseconds until `amount` (default 1) is there. */
  take(rate: Rate, share: Share, nowMs: number, amount?: number): number;
  give(): void;
  level(rate: Rate, share: Share, nowMs: number): number;
}

export class Bucket implements TokenBucket {
  #level = Infinity;
  #atMs = 0;

  take(rate: Rate, share: Share, nowMs: number, amount = 1): number {
    const level = this.level(rate, share, nowMs);
    this.#atMs = nowMs;
    if (level >= amount) {
      this.#level = level - amount;
      return 0;
    }
    this.#level = level;
    return missingMs(level, amount, rate, share);
  }

  give(): void {
    this.#level += 1;
  }

  level(rate: Rate, share: Share, nowMs: number): number {
    const level = this.#level + regained(rate, share, this.#atMs, nowMs);
    return Math.min(capacity(share, rate, nowMs), level);
  }
}

export interface WindowLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Never exceeds the limit in any window at a constant share. */
export interface RequestWindow {
  remaining(share: Share, nowMs: number): number;
  /** Returns 0, or `waitMs`. */
  take(share: Share, nowMs: number): number;
  /** Milliseconds until one more passes; 1000 while the share still fills. */
  waitMs(share: Share, nowMs: number): number;
  resetMs(nowMs: number): number;
}

export function windowSize({ limit, windowMs }: WindowLimit, share: Share, nowMs: number): number {
  return Math.floor(capacity(share, { size: limit, perMs: limit / windowMs }, nowMs));
}

export class Window implements RequestWindow {
  readonly #limit: WindowLimit;
  #moments: number[] = [];

  constructor(limit: WindowLimit) {
    this.#limit = limit;
  }

  remaining(share: Share, nowMs: number): number {
    this.#forget(nowMs);
    return Math.max(0, windowSize(this.#limit, share, nowMs) - this.#moments.length);
  }

  take(share: Share, nowMs: number): number {
    if (this.remaining(share, nowMs) === 0) return this.waitMs(share, nowMs);
    this.#moments.push(nowMs);
    return 0;
  }

  waitMs(share: Share, nowMs: number): number {
    const over = this.#moments.length - windowSize(this.#limit, share, nowMs);
    const leaving = this.#moments[over];
    return leaving === undefined ? 1000 : Math.max(1, leaving + this.#limit.windowMs - nowMs);
  }

  resetMs(nowMs: number): number {
    const latest = this.#moments.at(-1);
    return latest === undefined ? 0 : Math.max(0, latest + this.#limit.windowMs - nowMs);
  }

  #forget(nowMs: number): void {
    const from = nowMs - this.#limit.windowMs;
    let gone = 0;
    while (gone < this.#moments.length && (this.#moments[gone] ?? 0) <= from) gone++;
    if (gone > 0) this.#moments = this.#moments.slice(gone);
  }
}
