/**
 * Columns without which a mapping would answer, and answer wrongly: no status, and what was repealed
 * is in force; no end, and so is an old version. Asked for where no earlier reading says what the
 * source has, and of every live answer.
 */
import type { MappingId } from '../catalogue.ts';
import { isComplete, lackingOf } from '../contract.ts';
import type { SeenColumns } from '../contract.ts';
import { isAreaId } from '../keys.ts';
import { CODE_COLUMNS } from './dagi.ts';

const PORTAL = ['Statuskode', 'Off_kode', 'Systid_til'];

export function neededColumns(mapping: MappingId, keyProperty: string): readonly string[] {
  if (isAreaId(mapping)) return [keyProperty, CODE_COLUMNS[mapping], 'navn'];
  switch (mapping) {
    case 'portal':
    case 'portal-natur':
    case 'portal-dige':
      return [keyProperty, ...PORTAL];
    case 'portal-skov':
      return [keyProperty, ...PORTAL, 'Skovs_kode'];
    case 'cadastre':
    case 'heritage':
      return [keyProperty];
  }
}

/** The two times that a row always has, and those that end it. */
const STARTS = ['registreringFra', 'virkningFra'];
const ENDS = ['registreringTil', 'virkningTil'];

/**
 * The times that every file has, which by these columns a file has not: without them a row of the past, or
 * one to come, would be taken for what is true now. GML leaves out what is empty, so there an end may be absent.
 */
export function lackingTimes(seen: SeenColumns): readonly string[] {
  const there = new Set(Object.keys(seen));
  // A file without a row shows nothing: that is the business of other guards.
  if (there.size === 0) return [];
  return lackingOf(isComplete(seen) ? [...STARTS, ...ENDS] : STARTS, there);
}
