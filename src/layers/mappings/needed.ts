/**
 * Columns without which a mapping would answer, and answer wrongly: no status, and what was repealed
 * is in force. Asked for where no earlier reading says what the source has.
 */
import type { MappingId } from '../catalogue.ts';
import { CODE_COLUMNS } from './dagi.ts';

export function neededColumns(mapping: MappingId, keyProperty: string): readonly string[] {
  switch (mapping) {
    case 'portal':
    case 'portal-skov':
    case 'portal-natur':
    case 'portal-dige':
      return [keyProperty, 'Statuskode'];
    case 'cadastre':
    case 'heritage':
      return [keyProperty];
    case 'region':
    case 'kommune':
    case 'sogn':
    case 'retskreds':
    case 'politikreds':
    case 'opstillingskreds':
    case 'postnummer':
      return [keyProperty, CODE_COLUMNS[mapping], 'navn'];
  }
}
