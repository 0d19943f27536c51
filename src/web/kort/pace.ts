/**
 * Keeps the page under what a key may ask of tiles and files: of a screen full of layers all tiles come
 * a little later rather than some of them not at all.
 */

/** Below the 50 a second, and the 100 at once, that the service gives a key unless told otherwise. */
const PER_SECOND = 40;
const AT_ONCE = 80;

/** Tells each request how long it waits for its turn, milliseconds. */
export class Pace {
  #freeAtMs = 0;

  /** `requests`: how many are about to be sent together. */
  turn(nowMs: number, requests = 1): number {
    const eachMs = 1000 / PER_SECOND;
    const earliestMs = nowMs - AT_ONCE * eachMs;
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
