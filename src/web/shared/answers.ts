/** A line without an answer has no verdict, and an old copy's "no" is never a plain one. */
import { LINE_KEYS } from '../../layers/keys.ts';
import type { Static } from 'typebox';
import type { LayerStatusSchema } from '../../http/v1/status/schema.ts';
import type { RegisterAnswers } from '../../registers.ts';
import type { LineKey } from '../../layers/keys.ts';

export type Address = RegisterAnswers['address'];
export type AddressSuggestion = RegisterAnswers['suggestions']['forslag'][number];
export type Areas = RegisterAnswers['areas'];
export type BuildingLines = RegisterAnswers['lines'];
export type Company = RegisterAnswers['company'];
export type Height = RegisterAnswers['height'];
export type LayerStatus = Static<typeof LayerStatusSchema>;
export type NamedPlace = RegisterAnswers['place'];
export type NearestAddress = RegisterAnswers['nearestAddress'];
export type Property = RegisterAnswers['property'];

export type Line = BuildingLines['linjer'][keyof BuildingLines['linjer']];
export type Hit = NonNullable<Line['traef']>;

export type Field =
  | string
  | number
  | boolean
  | null
  | { readonly kode: string; readonly tekst: string | null };

export interface Condition extends Omit<RegisterAnswers['areaCondition'], 'objekter'> {
  readonly objekter: readonly Readonly<Record<string, Field>>[];
}
export type Conditions = Readonly<Record<string, Condition>>;

/** Of a parcel or a property. */
export interface AreaConditions {
  readonly areal_m2: number | null;
  readonly ejendom?: { readonly egen_grund: boolean };
  readonly forhold: Conditions;
}

export interface Cleansed {
  readonly kategori: string | null;
  readonly resultater: readonly { readonly aktueladresse: Address }[];
}

/** Of a polygon, in degrees. */
export type Rings = readonly (readonly (readonly [lon: number, lat: number])[])[];

export interface NamedParcel extends Omit<RegisterAnswers['parcel'], 'geometri'> {
  readonly geometri: { readonly coordinates: readonly Rings[] } | null;
}

export interface Parcels {
  readonly jordstykker: readonly NamedParcel[];
}

export interface Status {
  readonly generation: number;
  readonly lag: readonly LayerStatus[];
}

export interface Facts {
  readonly generation: string | null;
  readonly ageS: number | null;
  readonly isStale: boolean;
  readonly staleLines: readonly string[];
}

export type Reply<Body> =
  | { readonly ok: true; readonly body: Body; readonly facts: Facts }
  | { readonly ok: false; readonly status: number; readonly message: string };

export function factsOf(headers: Pick<Headers, 'get'>): Facts {
  const age = headers.get('x-service-data-age');
  return {
    generation: headers.get('x-service-generation'),
    ageS: age === null ? null : Number(age),
    isStale: headers.get('x-service-stale') === 'true',
    staleLines: (headers.get('x-service-stale-lines') ?? '').split(',').filter((key) => key !== ''),
  };
}

/** `unavailable`: nothing is known. `old-…`: an old copy says so. */
export type Verdict =
  | 'within'
  | 'uncertain'
  | 'outside'
  | 'old-within'
  | 'old-outside'
  | 'unavailable';

export type LineRow = ReturnType<typeof lineRow>;

/** In the order of D20, those that bind the place first. */
export function lineRows(
  { body, facts }: { readonly body: BuildingLines; readonly facts: Facts },
  ages: ReadonlyMap<string, number | null>,
): readonly LineRow[] {
  const rows = LINE_KEYS.map((key) =>
    lineRow(key, body.linjer[key], {
      isOld: facts.staleLines.includes(key),
      ageS: ages.get(key) ?? null,
    }),
  );
  return rows.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]);
}

function lineRow(
  key: LineKey,
  line: Line,
  { isOld, ageS }: { readonly isOld: boolean; readonly ageS: number | null },
) {
  const known = line.status === 'ok';
  return {
    key,
    name: line.navn,
    basis: line.hjemmel,
    shape: line.geometri,
    verdict: verdictOf(line, isOld),
    /** null: nothing in force within the radius, or nothing is known. */
    distanceM: known ? line.afstand_m : null,
    count: known ? line.antal : 0,
    hit: known ? line.traef : null,
    repealed: line.ophaevede.length,
    source: line.kilde.lag,
    /** Since the copy was last seen to equal its source; null: not told. */
    ageS: known ? ageS : null,
  };
}

/** Read `status` before `inden_for`, as the document says. */
function verdictOf(line: Line, isOld: boolean): Verdict {
  if (line.status !== 'ok' || line.inden_for === null) return 'unavailable';
  if (isOld) return line.inden_for ? 'old-within' : 'old-outside';
  if (!line.inden_for) return 'outside';
  return line.usikker ? 'uncertain' : 'within';
}

const RANK: Readonly<Record<Verdict, number>> = {
  within: 0,
  uncertain: 1,
  'old-within': 2,
  unavailable: 3,
  'old-outside': 4,
  outside: 5,
};

/** By layer; null: it has no copy. */
export function agesOf(layers: readonly LayerStatus[]): ReadonlyMap<string, number | null> {
  return new Map(layers.map(({ lag, alder_s: ageS }) => [lag, ageS]));
}
