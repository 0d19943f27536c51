/** The only reader of wall time. Passed in everywhere else, so tests can turn it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
