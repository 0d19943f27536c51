/**
 * By log positions of the primary and this process's monotonic clock: an idle primary makes no
 * replica late.
 */

export interface LogPlace {
  /** Position in the log, bytes. */
  readonly at: number;
  /** With its cluster. */
  readonly database: string;
  /** Generation of the data, store-wide (D19). */
  readonly generation: number;
}

interface Seen extends LogPlace {
  readonly atMs: number;
}

export function hasReached(replica: LogPlace, primary: LogPlace): boolean {
  return replica.database === primary.database && replica.at >= primary.at;
}

/** More than an hour, the longest lag that may be allowed. */
const KEPT = 8_000;

export class ReplicaLag {
  readonly #seen: Seen[] = [];
  #replica: LogPlace | null = null;

  /** `atMs`: when the question to the primary was sent. */
  primaryAt(place: LogPlace, atMs: number): void {
    this.#seen.push({ ...place, atMs });
    if (this.#seen.length > KEPT) this.#seen.shift();
  }

  /** null: no answer. */
  replicaAt(place: LogPlace | null): void {
    this.#replica = place;
  }

  /**
   * Largest age of the replica's answers; null: unknown. A primary that is silent since `silentMs`
   * publishes nothing known here, so time stops then.
   */
  lagMs(nowMs: number, silentMs: number | null): number | null {
    const replica = this.#replica;
    if (replica === null) return null;
    const level = this.#seen.findLast((seen) => hasReached(replica, seen));
    if (level === undefined) return null;
    return Math.max(0, (silentMs ?? nowMs) - level.atMs);
  }

  get generation(): number | null {
    return this.#replica?.generation ?? null;
  }

  get primaryGeneration(): number {
    return this.#seen.at(-1)?.generation ?? 0;
  }
}
