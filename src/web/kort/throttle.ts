/**
 * Keeps the page under a key's limit of tiles and files, so that a full screen loads late rather than in
 * part.
 */

/** The page's share of the key's limit, for another tab or a slow clock. */
const PART = 0.8;
/** What the service gives a key unless its operator set another, until its answers say so. */
const USUAL = { perSecond: 50, atOnce: 100 };

/** Tells each request how long it waits for its turn, milliseconds. */
export class RequestThrottle {
  #freeAtMs = 0;
  #given = USUAL;

  /** Takes the limits that an answer tells (`RateLimit-Policy`); the strictest of several holds. */
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

  /** `requests`: how many are about to be sent together. */
  turn(nowMs: number, requests = 1): number {
    const eachMs = 1000 / (this.#given.perSecond * PART);
    const earliestMs = nowMs - this.#given.atOnce * PART * eachMs;
    this.#freeAtMs = Math.max(this.#freeAtMs, earliestMs) + requests * eachMs;
    return Math.max(0, this.#freeAtMs - nowMs);
  }
}

const MOST_RETRY_S = 5;

/** Milliseconds to wait after a refusal for haste, by its Retry-After. */
export function retryAfterMs(header: string | null): number {
  const seconds = Number(header ?? '1');
  return 1000 * (seconds >= 1 ? Math.min(seconds, MOST_RETRY_S) : 1);
}
