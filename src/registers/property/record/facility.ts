import { compareTexts } from '../../../kernel/compare.ts';
import type { FacilityRow } from '../property.ts';
import { roundTo } from '../../../answers/numbers.ts';
import type { CodeLabels } from '../../../answers/codes.ts';

/** By class, number and id (D93). */
export function facilities(rows: readonly FacilityRow[], labels: CodeLabels) {
  return [...rows].sort(byClass).map((row) => facility(row, labels));
}

function facility(row: FacilityRow, labels: CodeLabels) {
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
    tank: hasTankField(row) ? tank(row, labels) : null,
  };
}

function tank(row: FacilityRow, labels: CodeLabels) {
  return {
    indhold: labels.field('Indhold', row.contents),
    materiale: labels.field('Materiale', row.material),
    type: labels.field('TypeAfVaegge', row.wallType),
    stoerrelsesklasse: labels.field('Stoerrelsesklasse', row.sizeClass),
    placering: labels.field('Placering', row.placement),
    sloejfning: labels.field('Sloejfning', row.decommissioning),
    korrosionsbeskyttelse: labels.field(
      'SupplerendeIndvendigKorrosionsbeskyttelse',
      row.corrosionProtection,
    ),
    // Unchanged, as documented: 0 on three tanks of ten.
    stoerrelse: row.size,
    rumfang: registered(row.volume),
    sloejfningsaar: registered(row.decommissionedYear),
    fabrikationsaar: registered(row.madeYear),
    sloejfningsfrist: row.decommissioningDue,
    fabrikationsnummer: row.serialNumber,
    typegodkendelsesnummer: row.typeApproval,
    korrosionsbeskyttelse_dato: row.corrosionProtectionDate,
    overdaekning: row.cover,
    inspektionsdato: row.inspectionDate,
    seneste_inspektion: row.latestInspection,
  };
}

/** 0 means "not registered". */
function registered(value: number | null): number | null {
  return value === 0 ? null : value;
}

/** A tank has a real value in one of its fields; 0 is none, also as a code. */
function hasTankField(row: FacilityRow): boolean {
  const codes = [
    row.contents,
    row.material,
    row.wallType,
    row.sizeClass,
    row.placement,
    row.decommissioning,
    row.corrosionProtection,
  ];
  const numbers = [row.size, row.volume, row.decommissionedYear, row.madeYear];
  const texts = [
    row.decommissioningDue,
    row.serialNumber,
    row.typeApproval,
    row.corrosionProtectionDate,
    row.cover,
    row.inspectionDate,
    row.latestInspection,
  ];
  return (
    codes.some((code) => code !== null && code !== '' && code !== '0') ||
    numbers.some((value) => value !== null && value !== 0) ||
    texts.some((text) => text !== null && text !== '' && text !== '0')
  );
}

function byClass(a: FacilityRow, b: FacilityRow): number {
  return (
    Number(a.class ?? Infinity) - Number(b.class ?? Infinity) ||
    (a.number ?? Infinity) - (b.number ?? Infinity) ||
    compareTexts(a.id, b.id)
  );
}
