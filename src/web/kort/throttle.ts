/** So that a full screen loads late rather than in part. */

/** The page's share of the key's limit, for another tab or a slow clock. */
const PART = 0.8;
/** Until the answers say what the operator has set. */
const USUAL = { perSecond: 50, atOnce: 100 };

/** Milliseconds to wait for a turn. */
export class RequestThrottle {
  #freeAtMs = 0;
  #given = USUAL;

  /** Of an answer's `RateLimit-Policy`; the strictest of several holds. */
  learn(policy: string | null): void {
    const windows = [...(policy ?? '').matchAll(/;q=(\d{1,9});w=(\d{1,6})/g)]
      .map(([, most, seconds]) => ({ atOnce: Number(most), seconds: Number(seconds) }))
      .filter(({ atOnce, seconds }) => atOnce > 0 && seconds > 0);
    if (windows.length === 0) return;
    this.#given = {
      perSecond: Math.min(...windows.map(({ atOnce, seconds }) => atOnce / seconds)),
      atOnce: Math.min(...windows.map(({ atOnce }) => atOnce)),
    };
  }

  /** `requests`: sent together. */
  turn(nowMs: number, requests = 1): number {
    const eachMs = 1000 / (this.#given.perSecond * PART);
    const earliestMs = nowMs - this.#given.atOnce * PART * eachMs;
    this.#freeAtMs = Math.max(this.#freeAtMs, earliestMs) + requests * eachMs;
    return Math.max(0, this.#freeAtMs - nowMs);
  }
}

const MOST_RETRY_S = 5;

/** By its Retry-After. */
export function retryAfterMs(header: string | null): number {
  const seconds = Number(header ?? '1');
  return 1000 * (seconds >= 1 ? Math.min(seconds, MOST_RETRY_S) : 1);
}
