/**
 * The public assessments of the country as the tables of VUR, at the sizes that issue 19 names (50 M references,
 * 45 M assessments of 2.5 M assessment properties). All of a row follows from its number alone.
 */
import { bfeOf } from './properties.ts';

const NATIONAL = { properties: 2_500_000, assessments: 45_000_000, references: 50_000_000 };
const FIRST_ID = { property: 4_000_001, assessment: 8_000_001 } as const;
/** Those of the newest years first. */
const NEWEST_YEAR = 2024;
const TIMES = '2020-03-01T11:00:00.000000Z,,2020-03-01T11:00:00.000000Z,';
const TIME_COLUMNS = 'registreringFra,registreringTil,virkningFra,virkningTil';

/** A table of VUR: the line of its columns, and its rows as lines of CSV. */
export interface AssessmentTable {
  readonly entity: 'BFEKrydsreference' | 'Ejendomsvurdering' | 'Vurderingsejendom';
  readonly head: string;
  readonly rows: Iterable<string>;
}

/** Properties that are assessed in a country of a size, the first of which is 0. */
export function assessedCount(scale: number): number {
  return countOf('properties', scale);
}

/** A property has every so many-th assessment; some are referred to by the number after theirs, too. */
export function assessmentTables(scale: number): readonly AssessmentTable[] {
  const properties = assessedCount(scale);
  return [
    {
      entity: 'BFEKrydsreference',
      head: `${TIME_COLUMNS},BFEnummer,fkEjendomsvurderingID`,
      rows: lines(countOf('references', scale), (n) => referenceOf(n, { scale, properties })),
    },
    {
      entity: 'Ejendomsvurdering',
      head:
        `${TIME_COLUMNS},id,år,ejendomværdiBeløb,grundværdiBeløb,ejendomværdiAfgiftspligtigBeløb,` +
        'grundværdiAfgiftspligtigBeløb,vurderetAreal,benyttelseKode,juridiskKategoriKode,ændringDato,' +
        'ændringKode,fkVurderingsejendomID',
      rows: lines(countOf('assessments', scale), (n) => assessmentOf(n, properties)),
    },
    {
      entity: 'Vurderingsejendom',
      head: `${TIME_COLUMNS},vurderingsejendomID,VURejendomsid,ESRkommunenummer,ESRejendomsnummer`,
      rows: lines(properties, propertyOf),
    },
  ];
}

function countOf(what: keyof typeof NATIONAL, scale: number): number {
  return Math.max(1_000, Math.round(NATIONAL[what] * scale));
}

function* lines(count: number, lineOf: (n: number) => string): Generator<string> {
  for (let n = 0; n < count; n += 1) yield `${TIMES},${lineOf(n)}`;
}

interface Country {
  readonly scale: number;
  readonly properties: number;
}

function referenceOf(n: number, { scale, properties }: Country): string {
  const assessments = countOf('assessments', scale);
  const isOwn = n < assessments;
  const bfe = bfeOf((n + (isOwn ? 0 : 1)) % properties);
  return `${bfe},${FIRST_ID.assessment + (isOwn ? n : n - assessments)}`;
}

function assessmentOf(n: number, properties: number): string {
  const year = NEWEST_YEAR - (Math.floor(n / properties) % 18);
  const ground = 80_000 + (n % 900) * 1_000;
  const value = ground + 200_000 + (n % 3_800) * 1_000;
  const id = FIRST_ID.assessment + n;
  return (
    `${id},${year},${value},${ground},${Math.round(value * 0.8)},${Math.round(ground * 0.8)},` +
    `${60 + (n % 1_340)},01,1,${year}-10-01,10,${FIRST_ID.property + (n % properties)}`
  );
}

function propertyOf(n: number): string {
  const municipality = String(101 + (n % 98)).padStart(4, '0');
  return `${FIRST_ID.property + n},${n + 1},${municipality},${String(n * 7).padStart(6, '0')}`;
}
