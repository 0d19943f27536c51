/**
 * Which rung one layer asks first, and what is left when the origin fails. Memory and store are one rung: a
 * copy.
 */
import { copyAgeS, isAhead, isOutdated } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { Freshness } from '../../layers/source.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { RegisterState } from './register-state.ts';

/**
 * A fresh copy answers; without one, or with an old one, the origin is asked. A held copy never
 * leads there: past its limit it answers as old. If the limits are set in the wrong order, the hard
 * one wins. An outdated copy (D130) and one of a time to come answer as old until the next version: which clock is
 * wrong is not known here.
 */
export function firstRung(copy: PublishedCopy | null, freshness: Freshness, nowMs: number) {
  if (copy === null) return 'origin';
  if (isOutdated(copy, nowMs) || isAhead(copy, nowMs)) return lastRung(copy, freshness, nowMs);
  const limitS = Math.min(freshness.limitS, freshness.hardLimitS);
  if (copyAgeS(copy, nowMs) <= limitS) return 'copy';
  return copy.held ? lastRung(copy, freshness, nowMs) : 'origin';
}

export interface AnswerContext {
  readonly nowMs: number;
  readonly by: 'snapshot' | 'store';
  readonly register: Pick<RegisterState, 'held' | 'refused'>;
}

/** The copy's provenance; or that the origin must be asked, or that nothing answers. */
export function firstAnswer(
  copy: PublishedCopy | null,
  freshness: Freshness,
  { nowMs, by, register }: AnswerContext,
): Provenance | 'origin' | 'unavailable' {
  if (copy === null) return register.held || register.refused ? 'unavailable' : 'origin';
  const first = firstRung(copy, freshness, nowMs);
  if (first === 'copy') return provenanceOf(by, copy, nowMs);
  // A reading that a guard refused must not come in live.
  const rung = register.refused ? lastRung(copy, freshness, nowMs) : first;
  return rung === 'stale' ? provenanceOf(rung, copy, nowMs) : rung;
}

/**
 * Whether a copy is past its limit and a sync may renew it: a held copy stays, an outdated one is watched
 * already.
 */
export function wantsSync(
  copy: PublishedCopy | null,
  freshness: Freshness,
  nowMs: number,
): boolean {
  if (copy === null || copy.held || isOutdated(copy, nowMs)) return false;
  return firstRung(copy, freshness, nowMs) !== 'copy';
}

/**
 * Without the origin an old copy answers, marked stale, until its hard limit (D34). Then nothing answers,
 * which is never a no.
 */
export function lastRung(copy: PublishedCopy | null, freshness: Freshness, nowMs: number) {
  return copy !== null && copyAgeS(copy, nowMs) <= freshness.hardLimitS ? 'stale' : 'unavailable';
}

export function provenanceOf(
  rung: 'snapshot' | 'store' | 'stale',
  copy: PublishedCopy,
  nowMs: number,
): Provenance {
  return { rung, ageS: copyAgeS(copy, nowMs) };
}

/**
 * The provenance of a copy without an origin: fresh, or old and marked stale; null: missing or past
 * its hard limit.
 */
export function copyAnswer(
  copy: PublishedCopy | null,
  freshness: Freshness,
  { nowMs, by }: { readonly nowMs: number; readonly by: 'snapshot' | 'store' },
): Provenance | null {
  if (copy === null) return null;
  if (firstRung(copy, freshness, nowMs) === 'copy') return provenanceOf(by, copy, nowMs);
  return lastRung(copy, freshness, nowMs) === 'stale' ? provenanceOf('stale', copy, nowMs) : null;
}

export const FROM_ORIGIN: Provenance = { rung: 'origin', ageS: 0 };
