import { compareTexts } from '../../../kernel/compare.ts';
import type { FacilityRow } from '../property.ts';
import { roundTo } from '../../../answers/numbers.ts';
import type { CodeLabels } from '../../../answers/codes.ts';
import { memberOf } from '../fields.ts';
import type { Field, Recorded } from '../fields.ts';
import { FACILITY_FIELDS, TANK_FIELDS } from '../record-fields.ts';

/** By class, number and id (D93). */
export function facilities(rows: readonly FacilityRow[], labels: CodeLabels) {
  return [...rows].sort(byClass).map((row) => facility(row, labels));
}

export function facility(row: FacilityRow, labels: CodeLabels) {
  const { x, y } = row;
  return {
    id: row.id,
    klassifikation: labels.field('Klassifikation', row.class),
    anlaegsnummer: row.number,
    bygning_id: row.buildingId,
    ...recordFacility(row, labels),
    punkt: x === null || y === null ? null : [roundTo(x, 2), roundTo(y, 2)],
    tank: TANK_MEMBERS.some((member) => isReal(row[member])) ? recordTank(row, labels) : null,
  };
}

/** 0 means "not registered", except as a tank's size. */
function recorder<F extends Readonly<Record<string, Field>>>(fields: F) {
  // A size stays as it is, as documented: 0 on three tanks of ten.
  const members = Object.entries(fields).map(([key, { column, list }]) => ({
    ...{ key, list, member: memberOf(column) as keyof FacilityRow, keepsZero: column === 'size' },
  }));
  return (row: FacilityRow, labels: CodeLabels): Recorded<F> => {
    const recorded = members.map(({ key, list, member, keepsZero }) => {
      const value = row[member];
      if (list !== undefined) return [key, labels.field(list, value as string | null)];
      return [key, value === 0 && !keepsZero ? null : value];
    });
    return Object.fromEntries(recorded) as Recorded<F>;
  };
}

const recordFacility = recorder(FACILITY_FIELDS);
const recordTank = recorder(TANK_FIELDS);

const TANK_MEMBERS = Object.values(TANK_FIELDS).map(
  ({ column }) => memberOf(column) as keyof FacilityRow,
);

/** Makes a facility a tank. */
function isReal(value: string | number | null): boolean {
  return value !== null && value !== 0 && value !== '' && value !== '0';
}

function byClass(a: FacilityRow, b: FacilityRow): number {
  return (
    Number(a.class ?? Infinity) - Number(b.class ?? Infinity) ||
    (a.number ?? Infinity) - (b.number ?? Infinity) ||
    compareTexts(a.id, b.id)
  );
}
