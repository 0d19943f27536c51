/**
 * The island's public assessments of two to four years, with several rows in a year, rows of zero, dangling
 * references, and ended rows.
 */
import { KNOWN_PROPERTY } from '../property/buildings.ts';
import { createRandom } from '../../data/random.ts';
import { emptyTables, entitiesOf, inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';

/** By entity. */
export const ASSESSMENT_MIN_ROWS = {
  BFEKrydsreference: 1_000,
  Ejendomsvurdering: 1_000,
  Vurderingsejendom: 500,
} as const;
export const ASSESSMENT_ENTITIES = entitiesOf(ASSESSMENT_MIN_ROWS);
export type AssessmentEntity = keyof typeof ASSESSMENT_MIN_ROWS;

export const KNOWN_ASSESSMENT = {
  bfe: KNOWN_PROPERTY.flatBfe,
  /** Its block: assessed until it was split, rows of zero since. */
  splitBfe: KNOWN_PROPERTY.bfe,
  twoBfe: 9_100_002,
  /** Never assessed. */
  noneBfe: 9_100_003,
  /** Its only reference is to a missing assessment. */
  brokenBfe: 9_100_004,
} as const;

const REGISTERED = '2020-03-01T11:00:00.000000Z';
const FIRST_ID = { property: 4_000_001, assessment: 8_000_001 } as const;
/** Ids of the system used since 2020: a digit and zeros before the number. */
const NEW_SYSTEM = 2_000_000_000_000;
const YEARS = [2018, 2020, 2022, 2024] as const;

interface Assessed {
  readonly year: number;
  readonly values: readonly [property: number, ground: number];
  readonly changed?: string;
  readonly area?: number;
}

/** For the numbers of BBR, in its order; deterministic. */
export function generateAssessments({
  Ejendomsrelation,
}: {
  readonly Ejendomsrelation: readonly TableRow[];
}): Readonly<Record<AssessmentEntity, readonly TableRow[]>> {
  const drawing = new Drawing();
  const bfes = new Map(
    Ejendomsrelation.map((row) => [Number(row['bfeNummer']), textIn(row, 'kommunekode')]),
  );
  for (const [bfe, municipality] of bfes) drawing.assess(bfe, municipality);
  return drawing.tables;
}

const CHANGED = '2023-11-06T23:00:00.000000Z';

/** Rows of the known numbers, for each property that is assessed under one. */
const KNOWN: Readonly<Record<number, readonly (readonly Assessed[])[]>> = {
  // Three rows in one year.
  [KNOWN_ASSESSMENT.bfe]: [
    [
      { year: 2020, values: [1_350_000, 310_000], area: 84 },
      { year: 2022, values: [1_480_000, 340_000], area: 84 },
      { year: 2022, values: [1_500_000, 340_000], area: 84, changed: CHANGED },
      { year: 2022, values: [1_520_000, 345_000], area: 84, changed: CHANGED },
      { year: 2024, values: [1_610_000, 360_000], area: 84 },
    ],
  ],
  [KNOWN_ASSESSMENT.splitBfe]: [
    [
      { year: 2018, values: [9_400_000, 2_100_000] },
      { year: 2022, values: [0, 0] },
      { year: 2024, values: [0, 0] },
    ],
  ],
  [KNOWN_ASSESSMENT.twoBfe]: [
    [{ year: 2024, values: [2_200_000, 450_000] }],
    [{ year: 2024, values: [2_200_000, 450_000] }],
  ],
  [KNOWN_ASSESSMENT.noneBfe]: [],
};

class Drawing {
  readonly #random = createRandom('assessments');
  #assessments = 0;
  readonly tables = emptyTables(ASSESSMENT_ENTITIES);

  assess(bfe: number, municipality: string): void {
    const known = KNOWN[bfe]?.map((rows) => ({ property: this.#property(municipality), rows }));
    for (const { property, rows } of known ?? []) {
      for (const each of rows) this.#assessed(bfe, property, each);
    }
    if (bfe === KNOWN_ASSESSMENT.brokenBfe) this.#refer(bfe, '7000001');
    else if (known === undefined) this.#plain(bfe, municipality);
  }

  #plain(bfe: number, municipality: string): void {
    const random = this.#random;
    if (random.chance(0.03)) return;
    const property = this.#property(municipality);
    const ground = random.integer(80, 900) * 1000;
    for (const year of YEARS.slice(random.integer(0, 2))) {
      const value = ground + random.integer(200, 4_000) * 1000;
      this.#assessed(bfe, property, { year, values: [value, ground] });
    }
  }

  #property(municipality: string): string {
    const { Vurderingsejendom } = this.tables;
    const number = Vurderingsejendom.length + 1;
    const id = String(FIRST_ID.property + number);
    Vurderingsejendom.push({
      ...inForceSince(REGISTERED),
      vurderingsejendomID: id,
      VURejendomsid: String(number),
      // Sometimes without the leading zero.
      ESRkommunenummer: number % 5 === 0 ? municipality.replace(/^0+/, '') : municipality,
      ESRejendomsnummer: String(number * 7).padStart(6, '0'),
    });
    return id;
  }

  #assessed(bfe: number, property: string, { year, values, changed, area }: Assessed): void {
    const { Ejendomsvurdering } = this.tables;
    this.#assessments += 1;
    const number = FIRST_ID.assessment + this.#assessments;
    const id = String(year >= 2020 ? NEW_SYSTEM + number : number);
    const [value, ground] = values;
    const measured = String(area ?? this.#random.integer(60, 1_400));
    const category = this.#random.chance(0.2) ? null : '1';
    const row: TableRow = {
      ...inForceSince(REGISTERED),
      id,
      år: String(year),
      ejendomværdiBeløb: String(value),
      grundværdiBeløb: String(ground),
      ejendomværdiAfgiftspligtigBeløb: String(Math.round(value * 0.8)),
      grundværdiAfgiftspligtigBeløb: String(Math.round(ground * 0.8)),
      vurderetAreal: measured,
      benyttelseKode: '01',
      juridiskKategoriKode: category,
      juridiskKategoriTekst: category && 'Ejerbolig',
      ændringDato: changed ?? `${year}-10-01`,
      ændringKode: changed === undefined ? '10' : '20',
      fkVurderingsejendomID: property,
    };
    Ejendomsvurdering.push(row);
    this.#refer(bfe, id);
    // An earlier value: its registration is closed, or its validity is over.
    const before = { ...row, ejendomværdiBeløb: '1', grundværdiBeløb: '1' };
    const closed = { registreringFra: '2019-01-01T00:00:00Z', registreringTil: REGISTERED };
    const over = { virkningFra: '2010-01-01T00:00:00Z', virkningTil: '2012-01-01T00:00:00Z' };
    if (this.#assessments % 9 === 0) Ejendomsvurdering.push({ ...before, ...closed });
    if (this.#assessments % 11 === 0) Ejendomsvurdering.push({ ...before, ...over });
  }

  #refer(bfe: number, assessment: string): void {
    const of = { BFEnummer: String(bfe), fkEjendomsvurderingID: assessment };
    this.tables.BFEKrydsreference.push({ ...inForceSince(REGISTERED), ...of });
  }
}
