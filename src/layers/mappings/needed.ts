/**
 * Without a status, repealed rows would be in force; without an end, old versions too. Checked for
 * sources without an earlier reading, and for every live answer.
 */
import type { MappingId } from '../catalogue.ts';
import { conditionOf, isConditionId } from '../conditions/index.ts';
import type { ConditionId } from '../conditions/condition.ts';
import { isComplete, lackingOf } from '../contract.ts';
import type { SeenColumns } from '../contract.ts';
import { PARISH_POLLING, isAreaId } from '../keys.ts';
import { CODE_COLUMNS, MUNICIPALITY_COLUMN, NUMBERED } from './dagi.ts';

const PORTAL = ['Statuskode', 'Off_kode', 'Systid_til'];

export function neededColumns(mapping: MappingId, keyProperty: string): readonly string[] {
  if (isAreaId(mapping)) {
    const municipality = NUMBERED.includes(mapping) ? [MUNICIPALITY_COLUMN] : [];
    // Its numbers were empty in whole extracts, and GML omits empty columns.
    const code = mapping === PARISH_POLLING ? [] : [CODE_COLUMNS[mapping]];
    return [keyProperty, ...code, 'navn', ...municipality];
  }
  if (isConditionId(mapping)) return [keyProperty, ...decidingColumns(mapping)];
  if (mapping === 'cadastre' || mapping === 'heritage') return [keyProperty];
  return [keyProperty, ...PORTAL, ...(mapping === 'portal-skov' ? ['Skovs_kode'] : [])];
}

/** Where a register has two names for a column, a row without either is unreadable. */
function decidingColumns(id: ConditionId): readonly string[] {
  const { decides, ends, begins } = conditionOf(id).inForce;
  return [...decides.map(({ columns }) => columns), ...begins, ...ends].flatMap((columns) =>
    columns.length === 1 ? columns : [],
  );
}

const STARTS = ['registreringFra', 'virkningFra'];
const ENDS = ['registreringTil', 'virkningTil'];

/**
 * Without them past or future rows of a file would count as current. GML omits empty values, so
 * there an end may be absent.
 */
export function lackingTimes(seen: SeenColumns): readonly string[] {
  const there = new Set(Object.keys(seen));
  // A file without rows is handled by other guards.
  if (there.size === 0) return [];
  return lackingOf(isComplete(seen) ? [...STARTS, ...ENDS] : STARTS, there);
}
