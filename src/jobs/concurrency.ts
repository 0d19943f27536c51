/** How hard a process works on jobs: while lookups are answered, half of the cores but one. */

export interface ConcurrencyPolicy {
  readonly places: number;
  readonly rest: number;
}

/** A whole core is too much of a machine with one. */
const LEAST_SHARE = 0.25;

/** This machine does nothing else. */
export function fullConcurrency(places: number): ConcurrencyPolicy {
  return { places, rest: 0 };
}

/**
 * While lookups are answered. A chunk keeps one core busy; beyond the share it rests in between.
 */
export function concurrencyBeside(places: number, cores: number): ConcurrencyPolicy {
  const share = Math.max(LEAST_SHARE, (cores - 1) / 2);
  if (share < 1) return { places: 1, rest: 1 / share - 1 };
  return { places: Math.min(places, Math.floor(share)), rest: 0 };
}
