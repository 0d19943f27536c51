/**
 * The ladder, as decisions: which rung is asked first for one layer, and what is left when the
 * origin fails. Pure; whoever climbs does the asking. Memory and store are one rung here: both hold
 * a copy, and which of them measured is told in the provenance.
 */
import { copyAgeS, isOutdated } from '../layers/published-copy.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { Freshness } from '../layers/source.ts';
import type { Provenance } from '../answers/answer.ts';
import type { RegisterState } from './register-state.ts';

/**
 * A fresh copy answers at once; without one, or with an old one, the origin is asked. A held copy
 * never leads there: past its limit it answers as an old copy does. An operator may set the two
 * limits the wrong way round: the hard one holds. A copy that knows itself to be past answers as an old
 * one until its successor does (D130): the origin would be of another moment than the other layers.
 */
export function firstRung(copy: PublishedCopy | null, freshness: Freshness, nowMs: number) {
  if (copy === null) return 'origin';
  if (isOutdated(copy, nowMs)) return lastRung(copy, freshness, nowMs);
  const limitS = Math.min(freshness.limitS, freshness.hardLimitS);
  if (copyAgeS(copy, nowMs) <= limitS) return 'copy';
  return copy.held ? lastRung(copy, freshness, nowMs) : 'origin';
}

export interface AnswerContext {
  readonly nowMs: number;
  /** Who measured what the copy answers with. */
  readonly by: 'snapshot' | 'store';
  /** The state of the layer's register, also where no copy could be read to say so. */
  readonly register: Pick<RegisterState, 'held' | 'refused'>;
}

/** What the copy answers as, by itself; or that the origin is to be asked, or that nothing answers. */
export function firstAnswer(
  copy: PublishedCopy | null,
  freshness: Freshness,
  { nowMs, by, register }: AnswerContext,
): Provenance | 'origin' | 'unavailable' {
  if (copy === null) return register.held || register.refused ? 'unavailable' : 'origin';
  const first = firstRung(copy, freshness, nowMs);
  if (first === 'copy') return provenanceOf(by, copy, nowMs);
  // What a guard kept out of the copy is not let in by another door.
  const rung = register.refused ? lastRung(copy, freshness, nowMs) : first;
  return rung === 'stale' ? provenanceOf(rung, copy, nowMs) : rung;
}

/**
 * Whether a copy is past its limit and a sync may renew it: a held one is left as it is, and one whose
 * date has come is watched already.
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
 * The origin has failed or may not be asked: an old copy answers, marked stale, until its hard limit (D34). Past it
 * nothing answers, which is never the same as a no.
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
 * What a copy answers as where there is no origin behind it: fresh, or old and marked stale; null: it is
 * not there, or past its hard limit.
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

/** Straight from the register, this moment. */
export const FROM_ORIGIN: Provenance = { rung: 'origin', ageS: 0 };
