/**
 * The lag of a replica, by log places seen on the primary and this process's monotonic clock: an idle primary
 * makes no replica late.
 */

export interface LogPlace {
  /** Bytes of the log. */
  readonly at: number;
  /** Of the data, store-wide (D19). */
  readonly generation: number;
}

interface Seen extends LogPlace {
  readonly atMs: number;
}

/** Samples of the primary: of more than an hour, the longest lag that may be allowed. */
const KEPT = 8_000;

export class ReplicaLag {
  readonly #seen: Seen[] = [];
  #replica: Seen | null = null;

  /** `atMs`: before the primary was asked. */
  primaryAt(place: LogPlace, atMs: number): void {
    this.#seen.push({ ...place, atMs });
    if (this.#seen.length > KEPT) this.#seen.shift();
  }

  /** `atMs`: before the replica was asked. null: it did not answer. */
  replicaAt(place: LogPlace | null, atMs: number): void {
    this.#replica = place === null ? null : { ...place, atMs };
  }

  /**
   * Since the replica was known to have all that the primary had: at most so old is what it answers. A primary
   * that is silent since `silentMs` publishes nothing that is known here, so time stands still from then on.
   * null: it is not known.
   */
  lagMs(nowMs: number, silentMs: number | null): number | null {
    const replica = this.#replica;
    if (replica === null) return null;
    const level = this.#seen.findLast(({ at }) => at <= replica.at);
    if (level === undefined) return null;
    return Math.max(0, (silentMs ?? nowMs) - level.atMs);
  }

  /** Of the data that the replica has; null: it did not answer. */
  get generation(): number | null {
    return this.#replica?.generation ?? null;
  }

  /** Of the data that the primary had when it last answered. */
  get primaryGeneration(): number {
    return this.#seen.at(-1)?.generation ?? 0;
  }
}
