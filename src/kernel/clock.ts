/** The only reader of wall time. Passed in everywhere else, so tests can turn it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

/** A clock that begins at a moment and goes on from there, for trials; null: the time it is. */
export function clockFrom(beginMs: number | null): Clock {
  if (beginMs === null) return systemClock;
  const aheadMs = beginMs - Date.now();
  return { nowMs: () => Date.now() + aheadMs };
}

export const systemClock: Clock = { nowMs: () => Date.now() };
