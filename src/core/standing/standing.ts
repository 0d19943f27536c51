/** A copy's age judged for a request. Memory and store are one rung: a copy. */
import { copyAgeS, isAhead, isOutdated } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Freshness } from '../../layers/source.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { RegisterState } from './register-state.ts';

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
