import { compareTexts } from '../../../kernel/compare.ts';
import type { FacilityRow } from '../property.ts';
import { roundTo } from '../../../answers/numbers.ts';
import type { CodeLabels } from '../../../answers/codes.ts';
import { memberOf } from '../fields.ts';
import type { Field, Recorded } from '../fields.ts';
import { TANK_FIELDS } from '../record-fields.ts';

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
    etableringsaar: registered(row.establishedYear),
    ombygningsaar: registered(row.rebuiltYear),
    driftstatus: labels.field('Driftstatus', row.operation),
    areal_m2: registered(row.area),
    hoejde_m: registered(row.height),
    rotordiameter_m: registered(row.rotorDiameter),
    punkt: x === null || y === null ? null : [roundTo(x, 2), roundTo(y, 2)],
    tank: TANK_MEMBERS.some(({ member }) => isReal(row[member])) ? tank(row, labels) : null,
  };
}

const TANK_MEMBERS = Object.entries<Field>(TANK_FIELDS).map(([key, { column, list }]) => ({
  ...{ key, list, member: memberOf(column) as keyof FacilityRow },
}));

function tank(row: FacilityRow, labels: CodeLabels): Recorded<typeof TANK_FIELDS> {
  const recorded: Record<string, unknown> = {};
  for (const { key, list, member } of TANK_MEMBERS) {
    const value = row[member];
    if (list !== undefined) recorded[key] = labels.field(list, value as string | null);
    // A size stays as it is, as documented: 0 on three tanks of ten.
    else recorded[key] = member === 'size' ? value : registered(value);
  }
  return recorded as Recorded<typeof TANK_FIELDS>;
}

/** 0 means "not registered". */
function registered<V>(value: V): V | null {
  return value === 0 ? null : value;
}

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
