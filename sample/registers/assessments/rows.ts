/**
 * The island's public assessments of two to four years, with several rows in a year, rows of zero, dangling
 * references, and ended rows.
 */
import { readCsv } from '../../data/read-csv.ts';
import { inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';

/** By entity. */
export const ASSESSMENT_MIN_ROWS = {
  BFEKrydsreference: 1_000,
  Ejendomsvurdering: 1_000,
  Vurderingsejendom: 500,
} as const;

const REGISTERED = '2020-03-01T11:00:00.000000Z';
const FIRST_ID = { property: 4_000_001, assessment: 8_000_001 } as const;
/** Ids of the system used since 2020: a digit and zeros before the number. */
const NEW_SYSTEM = 2_000_000_000_000;
const YEARS = ['2018', '2020', '2022', '2024'] as const;
const CHANGED = '2023-11-06T23:00:00.000000Z';

/**
 * A row of the file is a property that was assessed under a number, or a reference to what is missing. A cell has its
 * assessments of a year: value and, where it is not that of the row, ground in thousands, square metres, `-` without a
 * category, `!` where it was changed.
 */
export function generateAssessments() {
  const [references, assessments, properties]: [TableRow[], TableRow[], TableRow[]] = [[], [], []];
  let number: number = FIRST_ID.assessment;
  for (const row of readCsv(import.meta.dirname, 'assessments')) {
    const refer = (id: string) => {
      const of = { BFEnummer: textIn(row, 'bfe'), fkEjendomsvurderingID: id };
      references.push({ ...inForceSince(REGISTERED), ...of });
    };
    if (row['missing']) refer(row['missing']);
    else properties.push(propertyRow(textIn(row, 'municipality'), properties.length + 1));
    for (const year of YEARS) {
      for (const text of row[year]?.split(', ') ?? []) {
        number += 1;
        const id = String(Number(year) >= 2020 ? NEW_SYSTEM + number : number);
        const property = textIn(properties.at(-1), 'vurderingsejendomID');
        const now = {
          id,
          år: year,
          ...valuesOf(text, year, Number(row['ground'])),
          fkVurderingsejendomID: property,
        };
        assessments.push(...withEarlier({ ...inForceSince(REGISTERED), ...now }, number));
        refer(id);
      }
    }
  }
  return {
    BFEKrydsreference: references,
    Ejendomsvurdering: assessments,
    Vurderingsejendom: properties,
  };
}

function propertyRow(municipality: string, number: number): TableRow {
  return {
    ...inForceSince(REGISTERED),
    vurderingsejendomID: String(FIRST_ID.property + number),
    VURejendomsid: String(number),
    // Sometimes without the leading zero.
    ESRkommunenummer: number % 5 === 0 ? municipality.replace(/^0+/, '') : municipality,
    ESRejendomsnummer: String(number * 7).padStart(6, '0'),
  };
}

function valuesOf(text: string, year: string, usual: number): TableRow {
  const [amounts = '', area = null, marks = ''] = text.split(' ');
  const [value = 0, ground = usual] = amounts.split('/').map(Number);
  const [category, isChanged] = [marks.includes('-') ? null : '1', marks.includes('!')];
  return {
    ejendomværdiBeløb: String(1000 * value),
    grundværdiBeløb: String(1000 * ground),
    ejendomværdiAfgiftspligtigBeløb: String(Math.round(1000 * value * 0.8)),
    grundværdiAfgiftspligtigBeløb: String(Math.round(1000 * ground * 0.8)),
    ...{ vurderetAreal: area, benyttelseKode: '01', juridiskKategoriKode: category },
    juridiskKategoriTekst: category && 'Ejerbolig',
    ændringDato: isChanged ? CHANGED : `${year}-10-01`,
    ændringKode: isChanged ? '20' : '10',
  };
}

/** Some with an earlier value: its registration is closed, or its validity is over. */
function withEarlier(row: TableRow, number: number): TableRow[] {
  const earlier = { ...row, ejendomværdiBeløb: '1', grundværdiBeløb: '1' };
  const closed = { registreringFra: '2019-01-01T00:00:00Z', registreringTil: REGISTERED };
  const over = { virkningFra: '2010-01-01T00:00:00Z', virkningTil: '2012-01-01T00:00:00Z' };
  const count = number - FIRST_ID.assessment;
  return [
    row,
    ...(count % 9 === 0 ? [{ ...earlier, ...closed }] : []),
    ...(count % 11 === 0 ? [{ ...earlier, ...over }] : []),
  ];
}
