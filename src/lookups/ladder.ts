/**
 * The ladder, as decisions: which rung is asked first for one layer, and what is left when the
 * origin fails. Pure; whoever climbs does the asking. Memory and store are one rung here: both hold
 * a copy, and which of them measured is told in the provenance.
 */
import type { Freshness } from '../layers/source.ts';
import type { Provenance } from './answers.ts';

/** A layer's published copy; null where it was never mirrored. */
export interface Copy {
  readonly version: number;
  /** Milliseconds UTC of the last run that proved the copy equal to its source. */
  readonly syncedAtMs: number;
}

/** Whole seconds since the copy was proved; a clock that went back gives 0, never less. */
export function copyAgeS(copy: Copy, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - copy.syncedAtMs) / 1000));
}

/**
 * A fresh copy answers at once; without one, or with an old one, the origin is asked. An operator
 * may set the two limits the wrong way round: the hard one holds.
 */
export function firstRung(copy: Copy | null, freshness: Freshness, nowMs: number) {
  const limitS = Math.min(freshness.limitS, freshness.hardLimitS);
  return copy !== null && copyAgeS(copy, nowMs) <= limitS ? 'copy' : 'origin';
}

/**
 * The origin has failed: an old copy answers, marked stale, until its hard limit (D34). Past it
 * nothing answers, which is never the same as a no.
 */
export function lastRung(copy: Copy | null, freshness: Freshness, nowMs: number) {
  return copy !== null && copyAgeS(copy, nowMs) <= freshness.hardLimitS ? 'stale' : 'unavailable';
}

export function provenanceOf(
  rung: 'snapshot' | 'store' | 'stale',
  copy: Copy,
  nowMs: number,
): Provenance {
  return { rung, ageS: copyAgeS(copy, nowMs) };
}

/** Straight from the register, this moment. */
export const FROM_ORIGIN: Provenance = { rung: 'origin', ageS: 0 };
