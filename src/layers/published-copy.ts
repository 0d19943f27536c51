/** The published copy of something mirrored: a layer, a theme, the addresses. One shape for every reader. */
import type { UnansweredPlaces } from '../geo/unanswered.ts';
import type { MirrorId } from './keys.ts';

export interface PublishedCopy {
  readonly version: number;
  /** Milliseconds UTC of the last run that proved the copy equal to its source. */
  readonly syncedAtMs: number;
  /** An operator put this version back: what the register holds now is what was rejected. */
  readonly held: boolean;
  /** Features its register held when the copy was proved, as a live lookup counts them; null or absent: unknown. */
  readonly sourceRows?: number | null;
  /** From when its own rows say that it is past (D130), milliseconds UTC; null or absent: no such date. */
  readonly outdatedAtMs?: number | null;
  /** Places that nobody can answer for; null or absent: none. */
  readonly unanswered?: UnansweredPlaces | null;
}

/** How a mirror's copy stands, where a statement tells it beside what it found. */
export interface CopyRow {
  /** null: it was never mirrored. */
  readonly version: number | null;
  readonly synced_ms: number;
  readonly held: boolean;
  readonly outdated_ms: number | null;
  /** Where the statement tells it. */
  readonly unanswered?: UnansweredPlaces | null;
}

/** Its columns, of `layer_state l`. */
export const COPY_COLUMNS = `l.version, (extract(epoch from l.synced_at) * 1000)::float8 as synced_ms,
    l.held_since is not null as held,
    (extract(epoch from l.outdated_at) * 1000)::float8 as outdated_ms`;

/** null: it was never mirrored. */
export function copyOfRow({
  version,
  synced_ms: syncedAtMs,
  held,
  outdated_ms: outdatedAtMs,
  unanswered = null,
}: CopyRow): PublishedCopy | null {
  return version === null ? null : { version, syncedAtMs, held, outdatedAtMs, unanswered };
}

/** A copy, and of which mirror. */
export interface PublishedVersion<M extends MirrorId = MirrorId> extends PublishedCopy {
  readonly layer: M;
  /** With the version, the identity of the copy: another store's version 1 is another moment's. */
  readonly publishedAtMs: number;
}

/** What a store says is published of some mirrors, read in one statement. */
export interface Published<M extends MirrorId = MirrorId> {
  readonly generation: number;
  readonly versions: readonly PublishedVersion<M>[];
  /** Mirrors whose latest reading a guard refused, those without a copy among them. */
  readonly refused: readonly M[];
}

/** Whether both are the same copy, however long ago it was proved. */
export function isSameVersion(
  one: PublishedVersion | undefined,
  other: PublishedVersion | undefined,
): boolean {
  return one?.version === other?.version && one?.publishedAtMs === other?.publishedAtMs;
}

/** Whether a date has come at which the copy stopped being true, as its own rows say (D130). */
export function isOutdated(
  { outdatedAtMs = null }: Pick<PublishedCopy, 'outdatedAtMs'>,
  nowMs: number,
): boolean {
  return outdatedAtMs !== null && outdatedAtMs <= nowMs;
}

/** Whole seconds since the copy was proved; a clock that went back gives 0, never less. */
export function copyAgeS({ syncedAtMs }: Pick<PublishedCopy, 'syncedAtMs'>, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - syncedAtMs) / 1000));
}
