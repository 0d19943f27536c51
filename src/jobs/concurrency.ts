/** Chunks a process works on at once: beside lookups, half of the cores but one. */

export interface ConcurrencyPolicy {
  readonly places: number;
  readonly rest: number;
}

/** A whole core is too much of a one-core machine. */
const LEAST_SHARE = 0.25;

/** A chunk keeps one core busy, and rests in proportion to the share. */
export function concurrencyBeside(places: number, cores: number): ConcurrencyPolicy {
  const share = Math.max(LEAST_SHARE, (cores - 1) / 2);
  if (share < 1) return { places: 1, rest: 1 / share - 1 };
  return { places: Math.min(places, Math.floor(share)), rest: 0 };
}
