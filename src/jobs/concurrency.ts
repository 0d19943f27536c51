/**
 * How hard a process works on jobs. A lookup has somebody waiting for it and a job has not: while
 * lookups are answered on the same machine, jobs keep to half of the cores but one, whatever the
 * scheduler of the machine would give them.
 */

export interface ConcurrencyPolicy {
  /** Chunks under way at a time. */
  readonly places: number;
  /** Rest after a chunk, in times of what it took. */
  readonly rest: number;
}

/** A core for itself is more than a machine of one has. */
const LEAST_SHARE = 0.25;

/** Nobody else is at work here. */
export function fullConcurrency(places: number): ConcurrencyPolicy {
  return { places, rest: 0 };
}

/**
 * Beside lookups. A chunk keeps one core at work at a time: a thread's, its process's or the database's.
 * Where that is more than the share, it rests in between.
 */
export function concurrencyBeside(places: number, cores: number): ConcurrencyPolicy {
  const share = Math.max(LEAST_SHARE, (cores - 1) / 2);
  if (share < 1) return { places: 1, rest: 1 / share - 1 };
  return { places: Math.min(places, Math.floor(share)), rest: 0 };
}
