/** A line without an answer has no verdict, and an old copy's "no" is never a plain one. */
import type { Address } from './place-address.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey, Theme } from '../../layers/keys.ts';

export interface Hit {
  readonly objekt_id: string;
  readonly status: { readonly navn: string };
  readonly gaeldende_fra: string | null;
  readonly dokument_url: string | null;
}

/** One of `GET /v1/natur/byggelinjer`. */
export interface Line {
  readonly navn: string;
  readonly hjemmel: string;
  readonly geometri: 'flade' | 'linje';
  readonly status: 'ok' | 'utilgaengelig';
  readonly inden_for: boolean | null;
  readonly usikker: boolean;
  readonly afstand_m: number | null;
  readonly antal: number;
  readonly traef: Hit | null;
  readonly ophaevede: readonly Hit[];
  readonly kilde: { readonly lag: string; readonly wfs: string };
}

export interface BuildingLines {
  readonly soegeradius_m: number;
  readonly linjer: Readonly<Record<LineKey, Line>>;
  readonly meta: { readonly kilde: string };
}

export interface Areas {
  readonly omraader: readonly {
    readonly tema: Theme;
    readonly navn: string;
    readonly kode: string | null;
  }[];
  readonly meta: { readonly kilde: string };
}

export interface NearestAddress {
  readonly adresse: Omit<Address, 'id'> & {
    readonly adgangsadresse_id: string;
    readonly afstand_m: number;
  };
  readonly radius: number;
  readonly meta: { readonly kilde: string };
}

/** One of `GET /v1/status`. */
export interface LayerStatus {
  readonly lag: string;
  readonly alder_s: number | null;
  readonly tilstand: 'frisk' | 'forsinket' | 'fejlet' | 'mangler';
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

export interface LineRow {
  readonly key: LineKey;
  readonly name: string;
  readonly basis: string;
  readonly shape: Line['geometri'];
  readonly verdict: Verdict;
  /** null: nothing in force within the radius, or nothing is known. */
  readonly distanceM: number | null;
  readonly count: number;
  readonly hit: Hit | null;
  readonly repealed: number;
  readonly source: string;
  /** Since the copy was last seen to equal its source; null: not told. */
  readonly ageS: number | null;
}

/** In the order of D20, those that bind the place first. */
export function lineRows(
  { body, facts }: { readonly body: BuildingLines; readonly facts: Facts },
  ages: ReadonlyMap<string, number | null>,
): readonly LineRow[] {
  const rows = LINE_KEYS.map((key): LineRow => {
    const line = body.linjer[key];
    const known = line.status === 'ok';
    return {
      key,
      name: line.navn,
      basis: line.hjemmel,
      shape: line.geometri,
      verdict: verdictOf(line, facts.staleLines.includes(key)),
      distanceM: known ? line.afstand_m : null,
      count: known ? line.antal : 0,
      hit: known ? line.traef : null,
      repealed: line.ophaevede.length,
      source: line.kilde.lag,
      ageS: known ? (ages.get(key) ?? null) : null,
    };
  });
  return rows.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]);
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
