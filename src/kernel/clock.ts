/** The only reader of wall time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

/** For trials; null: real time. */
export function clockFrom(beginMs: number | null): Clock {
  if (beginMs === null) return systemClock;
  const aheadMs = beginMs - Date.now();
  return { nowMs: () => Date.now() + aheadMs };
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** For waits: it is never set. */
export const monotonicClock: Clock = { nowMs: () => performance.now() };

/** Equal in all threads, unlike `performance.now()`. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Since an instant of `machineMs`. */
export function monotonicSince(originMs: number): () => number {
  const aheadMs = machineMs() - performance.now() - originMs;
  return () => performance.now() + aheadMs;
}

/** RFC 3339 in UTC. */
export function instant(ms: number): string;
export function instant(ms: number | null): string | null;
export function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
