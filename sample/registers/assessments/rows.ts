/**
 * The island's public assessments of two to four years, with several rows in a year, rows of zero, dangling
 * references, and ended rows.
 */
import { KNOWN_PROPERTY } from '../property/buildings.ts';
import type { Random } from '../../data/random.ts';
import { createRandom } from '../../data/random.ts';
import type { TableRow } from '../../data/table-row.ts';

export const ASSESSMENT_ENTITIES = [
  'BFEKrydsreference',
  'Ejendomsvurdering',
  'Vurderingsejendom',
] as const;
export type AssessmentEntity = (typeof ASSESSMENT_ENTITIES)[number];

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
  readonly property: string | null;
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
  const drawing = new Drawing(createRandom('assessments'));
  const bfes = new Map(
    Ejendomsrelation.map((row) => [Number(row['bfeNummer']), row['kommunekode'] ?? '']),
  );
  for (const [bfe, municipality] of bfes) drawing.assess(bfe, municipality);
  return drawing.tables;
}

class Drawing {
  readonly #random: Random;
  #municipality = '';
  #properties = 0;
  #assessments = 0;
  readonly tables: Record<AssessmentEntity, TableRow[]> = {
    BFEKrydsreference: [],
    Ejendomsvurdering: [],
    Vurderingsejendom: [],
  };

  constructor(random: Random) {
    this.#random = random;
  }

  assess(bfe: number, municipality: string): void {
    this.#municipality = municipality;
    switch (bfe) {
      case KNOWN_ASSESSMENT.bfe: {
        this.#threeOfOneYear(bfe);
        return;
      }
      case KNOWN_ASSESSMENT.splitBfe: {
        this.#split(bfe);
        return;
      }
      case KNOWN_ASSESSMENT.twoBfe: {
        this.#two(bfe);
        return;
      }
      case KNOWN_ASSESSMENT.noneBfe:
        return undefined;
      case KNOWN_ASSESSMENT.brokenBfe:
        this.#refer(bfe, '7000001');
        return undefined;
      default: {
        this.#plain(bfe);
        return;
      }
    }
  }

  #plain(bfe: number): void {
    if (this.#random.chance(0.03)) return;
    const property = this.#property();
    const ground = this.#random.integer(80, 900) * 1000;
    for (const year of YEARS.slice(this.#random.integer(0, 2))) {
      const value = ground + this.#random.integer(200, 4_000) * 1000;
      this.#assessed(bfe, { property, year, values: [value, ground] });
    }
  }

  #threeOfOneYear(bfe: number): void {
    const property = this.#property();
    const area = 84;
    this.#assessed(bfe, { property, year: 2020, values: [1_350_000, 310_000], area });
    const year = 2022;
    const changed = '2023-11-06T23:00:00.000000Z';
    this.#assessed(bfe, { property, year, values: [1_480_000, 340_000], area });
    this.#assessed(bfe, { property, year, values: [1_500_000, 340_000], changed, area });
    this.#assessed(bfe, { property, year, values: [1_520_000, 345_000], changed, area });
    this.#assessed(bfe, { property, year: 2024, values: [1_610_000, 360_000], area });
  }

  #split(bfe: number): void {
    const property = this.#property();
    this.#assessed(bfe, { property, year: 2018, values: [9_400_000, 2_100_000] });
    this.#assessed(bfe, { property, year: 2022, values: [0, 0] });
    this.#assessed(bfe, { property, year: 2024, values: [0, 0] });
  }

  #two(bfe: number): void {
    for (const property of [this.#property(), this.#property()]) {
      this.#assessed(bfe, { property, year: 2024, values: [2_200_000, 450_000] });
    }
  }

  #property(): string {
    this.#properties += 1;
    const id = String(FIRST_ID.property + this.#properties);
    this.tables.Vurderingsejendom.push({
      ...times(),
      vurderingsejendomID: id,
      VURejendomsid: String(this.#properties),
      // Sometimes without the leading zero.
      ESRkommunenummer:
        this.#properties % 5 === 0 ? this.#municipality.replace(/^0+/, '') : this.#municipality,
      ESRejendomsnummer: String(this.#properties * 7).padStart(6, '0'),
    });
    return id;
  }

  #assessed(bfe: number, { property, year, values, changed, area }: Assessed): void {
    this.#assessments += 1;
    const number = FIRST_ID.assessment + this.#assessments;
    const id = String(year >= 2020 ? NEW_SYSTEM + number : number);
    const [value, ground] = values;
    const measured = String(area ?? this.#random.integer(60, 1_400));
    const category = this.#random.chance(0.2) ? null : '1';
    const row: TableRow = {
      ...times(),
      id,
      år: String(year),
      ejendomværdiBeløb: String(value),
      grundværdiBeløb: String(ground),
      ejendomværdiAfgiftspligtigBeløb: String(Math.round(value * 0.8)),
      grundværdiAfgiftspligtigBeløb: String(Math.round(ground * 0.8)),
      vurderetAreal: measured,
      benyttelseKode: property === null ? null : '01',
      juridiskKategoriKode: category,
      juridiskKategoriTekst: category && 'Ejerbolig',
      ændringDato: changed ?? `${year}-10-01`,
      ændringKode: changed === undefined ? '10' : '20',
      fkVurderingsejendomID: property,
    };
    this.tables.Ejendomsvurdering.push(row);
    this.#refer(bfe, id);
    // An earlier value: its registration is closed, or its validity is over.
    const before = { ...row, ejendomværdiBeløb: '1', grundværdiBeløb: '1' };
    if (this.#assessments % 9 === 0) {
      const closed = { registreringFra: '2019-01-01T00:00:00Z', registreringTil: REGISTERED };
      this.tables.Ejendomsvurdering.push({ ...before, ...closed });
    }
    if (this.#assessments % 11 === 0) {
      const over = { virkningFra: '2010-01-01T00:00:00Z', virkningTil: '2012-01-01T00:00:00Z' };
      this.tables.Ejendomsvurdering.push({ ...before, ...over });
    }
  }

  #refer(bfe: number, assessment: string): void {
    this.tables.BFEKrydsreference.push({
      ...times(),
      BFEnummer: String(bfe),
      fkEjendomsvurderingID: assessment,
    });
  }
}

function times(): TableRow {
  return {
    registreringFra: REGISTERED,
    registreringTil: null,
    virkningFra: REGISTERED,
    virkningTil: null,
  };
}
