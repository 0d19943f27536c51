import { LIMITS } from '../kernel/limits.ts';
import type { UnansweredPlaces } from '../geo/unanswered.ts';
import type { MirrorId } from './keys.ts';

export interface PublishedCopy {
  readonly version: number;
  /** Of the last run that verified it. */
  readonly syncedAtMs: number;
  /** An operator reverted to this version: the register's content was rejected. */
  readonly held: boolean;
  /** When verified, as a live lookup counts; null or absent: unknown. */
  readonly sourceRows?: number | null;
  /** By its own rows (D130); null or absent: never. */
  readonly outdatedAtMs?: number | null;
  readonly unanswered?: UnansweredPlaces | null;
  /** The joined register was not mirrored (D282). */
  readonly lacksJoined?: boolean;
}

/** Of `layer_state l`, as a PublishedCopy; null: never mirrored. */
export const COPY = `case when l.layer is not null then jsonb_build_object('version', l.version,
      'syncedAtMs', (extract(epoch from l.synced_at) * 1000)::float8,
      'held', l.held_since is not null, 'sourceRows', l.source_rows,
      'outdatedAtMs', (extract(epoch from l.outdated_at) * 1000)::float8,
      'unanswered', l.unanswered) end as copy`;

export interface PublishedVersion<M extends MirrorId = MirrorId> extends PublishedCopy {
  readonly layer: M;
  /** Identifies the copy with the version: another store's version 1 differs. */
  readonly publishedAtMs: number;
}

export interface Published<M extends MirrorId = MirrorId> {
  readonly generation: number;
  readonly versions: readonly PublishedVersion<M>[];
  readonly refused: readonly M[];
}

export function isSameVersion(
  one: PublishedVersion | undefined,
  other: PublishedVersion | undefined,
): boolean {
  return one?.version === other?.version && one?.publishedAtMs === other?.publishedAtMs;
}

/** `reported`, verified later, where it is the joined version; else the joined one. */
export function lastProved(
  joined: PublishedVersion | null,
  reported: PublishedVersion | null = null,
): PublishedVersion | null {
  const isSame = joined !== null && reported !== null && isSameVersion(joined, reported);
  return isSame ? reported : joined;
}

/** An unreadable row may be of the object (D143); null: of any unknown one. */
export function isTorn(
  unread: readonly (string | null)[] | undefined,
  object: string,
  isKnown: boolean,
): boolean {
  if (unread === undefined) return false;
  return unread.includes(object) || (!isKnown && unread.includes(null));
}

/** Whether the copy's own rows say that it is outdated (D130). */
export function isOutdated(
  { outdatedAtMs = null }: Pick<PublishedCopy, 'outdatedAtMs'>,
  nowMs: number,
): boolean {
  return outdatedAtMs !== null && outdatedAtMs <= nowMs;
}

/** Verified in the future: one clock is wrong, and the age is unknown. */
export function isAhead({ syncedAtMs }: Pick<PublishedCopy, 'syncedAtMs'>, nowMs: number): boolean {
  return syncedAtMs - nowMs > LIMITS.clockDifferenceMs;
}

/** Never negative, even if the clock went back. */
export function copyAgeS({ syncedAtMs }: Pick<PublishedCopy, 'syncedAtMs'>, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - syncedAtMs) / 1000));
}
