/** A copy's age judged for a request, and its failure (D149). Memory and store are one rung. */
import { copyAgeS, isAhead, isOutdated } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Freshness } from '../../layers/source.ts';
import type { RegisterState } from './register-state.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { Mirrored } from '../../layers/catalogue.ts';
import type { CopyTrouble } from '../../layers/register.ts';
import type { Provenance, Watcher } from '../../answers/answer.ts';
import { OF_COPIES } from '../rows/row-errors.ts';

export interface Standing {
  /** The copy, its origin, or nothing, which is never a no. */
  readonly first: Provenance | 'origin' | 'unavailable';
  /** The answer where there is no origin, or it failed (D34); null: the copy may not answer. */
  readonly last: Provenance | null;
  /**
   * Past its limit, and a sync may renew it: a held copy stays, an outdated one is watched already.
   */
  readonly wantsSync: boolean;
}

export interface Moment {
  readonly nowMs: number;
  readonly by: 'snapshot' | 'store';
}

type KnownState = Pick<RegisterState, 'held' | 'refused'>;

const OPEN: KnownState = { held: false, refused: false };

export const FROM_ORIGIN: Provenance = { rung: 'origin', ageS: 0 };

/**
 * A fresh copy answers; without one, or with an old one, the origin is asked, but never for a held
 * copy nor after a guard refused its reading: such a copy answers as old, until its hard limit,
 * which wins where the limits are in the wrong order. An outdated copy (D130) and one of the future
 * answer as old until the next version.
 */
export function standingOf(
  copy: PublishedCopy | null,
  { limitS, hardLimitS }: Freshness,
  { nowMs, by, register = OPEN }: Moment & { readonly register?: KnownState },
): Standing {
  if (copy === null) {
    const first = register.held || register.refused ? 'unavailable' : 'origin';
    return { first, last: null, wantsSync: false };
  }
  const ageS = copyAgeS(copy, nowMs);
  const outdated = isOutdated(copy, nowMs);
  const isDoubtful = outdated || isAhead(copy, nowMs);
  if (!isDoubtful && ageS <= Math.min(limitS, hardLimitS)) {
    const fresh = { rung: by, ageS };
    return { first: fresh, last: fresh, wantsSync: false };
  }
  const last = ageS <= hardLimitS ? ({ rung: 'stale', ageS } as const) : null;
  const staysHere = isDoubtful || copy.held || register.refused;
  const wantsSync = !copy.held && !outdated;
  return { first: staysHere ? (last ?? 'unavailable') : 'origin', last, wantsSync };
}

/** The provenance of a copy in memory; null: it is not fresh. */
export function freshOf(
  copy: PublishedCopy | null,
  freshness: Freshness,
  nowMs: number,
): Provenance | null {
  const { first } = standingOf(copy, freshness, { nowMs, by: 'snapshot' });
  return typeof first === 'string' || first.rung === 'stale' ? null : first;
}

export interface CopyDeps {
  readonly clock: Clock;
  readonly onExpired?: ((mirror: MirrorId) => void) | undefined;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

/** null: it may not answer. */
export function joinedCopy(
  { onExpired }: Pick<CopyDeps, 'onExpired'>,
  mirrored: Mirrored,
  { copy, ...moment }: Moment & { readonly copy: PublishedCopy | null },
): Provenance | null {
  const { last, wantsSync } = standingOf(copy, mirrored.freshness, moment);
  if (wantsSync) onExpired?.(mirrored.id);
  return last;
}

export interface AnsweringCopy {
  readonly copy: PublishedCopy | null;
  readonly by: Moment['by'];
  readonly times?: number;
  /** null: not judged yet. */
  readonly standing?: Standing | null;
}

/** Throws the register's Failure where the copy may not answer. */
export function answeringCopy(
  deps: CopyDeps,
  mirrored: Mirrored,
  { copy, by, times, standing }: AnsweringCopy,
): Provenance {
  const moment = { nowMs: deps.clock.nowMs(), by };
  const { last, wantsSync } = standing ?? standingOf(copy, mirrored.freshness, moment);
  if (wantsSync) deps.onExpired?.(mirrored.id);
  deps.watcher?.answered(mirrored.id, last?.rung ?? 'unavailable', times);
  if (last !== null) return last;
  throw failureOfCopy(mirrored, copy);
}

export function failureOfCopy(mirrored: Mirrored, copy: PublishedCopy | null): Failure {
  return copy === null ? notHere(mirrored) : tooOld(mirrored);
}

/** From the store alone. Throws the register's Failure. */
export async function readCopy<R extends { readonly copy: PublishedCopy | null }>(
  deps: CopyDeps,
  mirrored: Mirrored,
  read: () => Promise<R>,
  times?: number,
): Promise<R & { readonly provenance: Provenance }> {
  const more = times === undefined ? {} : { times };
  const found = await read().catch((cause: unknown) => {
    throw unreadableCopy(deps, mirrored, { cause, ...more });
  });
  const provenance = answeringCopy(deps, mirrored, { copy: found.copy, by: 'store', ...more });
  return { ...found, provenance };
}

/** null: it may not answer. */
export function heldStanding(
  { clock }: Pick<CopyDeps, 'clock'>,
  mirrored: Mirrored,
  copy: PublishedCopy,
): Standing | null {
  const moment = { nowMs: clock.nowMs(), by: 'snapshot' } as const;
  const standing = standingOf(copy, mirrored.freshness, moment);
  return standing.last === null ? null : standing;
}

/** Never mirrored, or not yet in memory. An empty answer would read as measured. */
export function notHere(mirrored: Mirrored): Failure {
  return new Failure('upstream_unavailable', OF_COPIES.notHere(...calledOf(mirrored)));
}

export function tooOld(mirrored: Mirrored): Failure {
  return unanswered('tooOld', mirrored, OF_COPIES.tooOld(...calledOf(mirrored)));
}

/** The store did not answer; reports it to the watcher. */
export function unreadableCopy(
  { watcher }: Pick<CopyDeps, 'watcher'>,
  mirrored: Mirrored,
  { cause, times }: { readonly cause: unknown; readonly times?: number },
): Failure {
  watcher?.answered(mirrored.id, 'unavailable', times);
  const said = OF_COPIES.unreadable(...calledOf(mirrored));
  return unanswered('unreadable', mirrored, { ...said, cause });
}

interface Sentences {
  readonly error: string;
  readonly errorDa: string;
  readonly cause?: unknown;
}

export function unanswered(
  kind: CopyTrouble,
  mirrored: Mirrored,
  { error, errorDa, cause }: Sentences,
): Failure {
  return 'with502' in mirrored && mirrored.with502.includes(kind)
    ? new Failure('upstream_error', { error, errorDa, cause })
    : upstreamUnavailable(error, errorDa, cause);
}

function calledOf(mirrored: Mirrored): readonly [en: string, da: string] {
  return 'called' in mirrored
    ? mirrored.called
    : [`the layer ${mirrored.id}`, `laget ${mirrored.id}`];
}
