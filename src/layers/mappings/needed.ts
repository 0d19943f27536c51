/**
 * Columns without which a mapping would answer, and answer wrongly: no status, and what was repealed
 * is in force; no end, and so is an old version. Asked for where no earlier reading says what the
 * source has, and of every live answer.
 */
import type { MappingId } from '../catalogue.ts';
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
