/** The only reader of wall time; passed in, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

/** A clock that starts at a moment, for trials; null: real time. */
export function clockFrom(beginMs: number | null): Clock {
  if (beginMs === null) return systemClock;
  const aheadMs = beginMs - Date.now();
  return { nowMs: () => Date.now() + aheadMs };
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** For waits: of no day, and never set. */
export const monotonicClock: Clock = { nowMs: () => performance.now() };

/** RFC 3339 in UTC; null stays null. */
export function instant(ms: number): string;
export function instant(ms: number | null): string | null;
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
