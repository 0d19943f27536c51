/**
 * Requests per second (D60) and per client address and minute (D68), divided between live
 * processes.
 */

import { MOMENTS } from './limiter-memory.ts';
import type { Holder, Table } from './limiter-table.ts';

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

/** A token bucket holds two seconds' worth (D60). */
const BURST_S = 2;

export function burstRate(requestsPerSecond: number): Rate {
  return { size: BURST_S * requestsPerSecond, perMs: requestsPerSecond / 1000 };
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

/** For the RateLimit headers (D65). */
export interface LimitState {
  readonly limit: number;
  readonly windowS: number;
  /** Never more than will be granted. */
  readonly remaining: number;
  /** Until the whole limit is available. */
  readonly resetS: number;
}

export function bucketState(
  level: number,
  { rate, share }: { readonly rate: Rate; readonly share: Share },
): LimitState {
  const perS = rate.perMs * share.fraction * 1000;
  const missing = rate.size * share.fraction - level;
  return {
    limit: rate.size,
    windowS: BURST_S,
    remaining: Math.floor(level),
    resetS: missing <= 0 || perS === 0 ? 0 : Math.ceil(missing / perS),
  };
}

interface Moment {
  readonly rate: Rate;
  readonly share: Share;
  readonly nowMs: number;
}

export class Bucket implements TokenBucket {
  readonly #table: Table;
  readonly #holder: Holder;

  constructor(table: Table, holder: Holder) {
    this.#table = table;
    this.#holder = holder;
  }

  take(rate: Rate, share: Share, nowMs: number, amount = 1): number {
    const { lock, ms, values } = this.#table;
    if (!lock.enter()) return missingMs(0, amount, rate, share);
    const slot = this.#table.findOrAdd(this.#holder, nowMs);
    const level = this.#levelOf(slot, { rate, share, nowMs });
    const isTaken = level >= amount;
    ms[slot] = Math.max(ms[slot] ?? 0, nowMs);
    values[slot] = isTaken ? level - amount : level;
    lock.leave();
    return isTaken ? 0 : missingMs(level, amount, rate, share);
  }

  give(): void {
    const { lock, values } = this.#table;
    const slot = this.#table.find(this.#holder);
    if (slot < 0 || !lock.enter()) return;
    values[slot] = (values[slot] ?? 0) + 1;
    lock.leave();
  }

  level(rate: Rate, share: Share, nowMs: number): number {
    return this.#levelOf(this.#table.find(this.#holder), { rate, share, nowMs });
  }

  #levelOf(slot: number, { rate, share, nowMs }: Moment): number {
    const { ms, values } = this.#table;
    const most = capacity(share, rate, nowMs);
    if (slot < 0) return most;
    return Math.min(most, (values[slot] ?? 0) + regained(rate, share, ms[slot] ?? 0, nowMs));
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

/** Its value is how many moments it has. */
export class Window implements RequestWindow {
  readonly #table: Table;
  readonly #holder: Holder;
  readonly #limit: WindowLimit;

  constructor(table: Table, holder: Holder, limit: WindowLimit) {
    if (limit.limit > MOMENTS) throw new RangeError(`A window holds ${MOMENTS} moments.`);
    this.#table = table;
    this.#holder = holder;
    this.#limit = limit;
  }

  remaining(share: Share, nowMs: number): number {
    const moments = this.#moments(this.#table.find(this.#holder));
    const counted = moments.length - this.#gone(moments, nowMs);
    return Math.max(0, windowSize(this.#limit, share, nowMs) - counted);
  }

  take(share: Share, nowMs: number): number {
    const { lock, ms, values, more } = this.#table;
    if (!lock.enter()) return 1000;
    const slot = this.#table.findOrAdd(this.#holder, nowMs);
    const moments = this.#moments(slot);
    const gone = this.#gone(moments, nowMs);
    const counted = moments.length - gone;
    const isTaken = counted < windowSize(this.#limit, share, nowMs);
    if (isTaken) {
      moments.copyWithin(0, gone);
      values[slot] = counted;
      // In the order of the takes, whatever the threads' clocks.
      ms[slot] = Math.max(ms[slot] ?? 0, nowMs);
      more[slot * MOMENTS + counted] = ms[slot] ?? 0;
      values[slot] = counted + 1;
    }
    lock.leave();
    return isTaken ? 0 : this.waitMs(share, nowMs);
  }

  waitMs(share: Share, nowMs: number): number {
    const moments = this.#moments(this.#table.find(this.#holder));
    const leaving = moments[moments.length - windowSize(this.#limit, share, nowMs)];
    return leaving === undefined ? 1000 : Math.max(1, leaving + this.#limit.windowMs - nowMs);
  }

  resetMs(nowMs: number): number {
    const latest = this.#moments(this.#table.find(this.#holder)).at(-1);
    return latest === undefined ? 0 : Math.max(0, latest + this.#limit.windowMs - nowMs);
  }

  #moments(slot: number): Float64Array {
    const { values, more } = this.#table;
    return more.subarray(slot * MOMENTS, slot * MOMENTS + (values[slot] ?? 0));
  }

  #gone(moments: Float64Array, nowMs: number): number {
    const from = nowMs - this.#limit.windowMs;
    let gone = 0;
    while (gone < moments.length && (moments[gone] ?? 0) <= from) gone += 1;
    return gone;
  }
}
