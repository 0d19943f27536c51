import type { Point } from '../../geo/point.ts';
import { geometryJson } from '../../geo/rings-text.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Places, PlacesAnswer } from './lookup.ts';
import type { NamedPlace, PlaceScan } from './places.ts';

const SEARCHED = LIMITS.places.perPage.max * LIMITS.places.pages;
const SCANNED = 20_000;
const IDS = 150;

export interface PlacesWanted extends PlaceScan {
  readonly text: string | null;
  readonly type: string | null;
  /** Without a radius: a point. */
  readonly circle: { readonly center: Point; readonly radiusM?: number } | null;
  readonly ids: readonly string[];
  readonly isSearch: boolean;
  /** The index can apply all filters that are given. */
  readonly isNarrow: boolean;
  /** Rows up to the last one wanted. */
  readonly end: number;
}

/** Error for a parameter that would find too much. */
type Refused = (name: string, reason: string) => Error;

/** Values without wildcards; empty where one has a wildcard. */
export function wholes(values: readonly (string | null)[]): readonly string[] {
  const whole = values.flatMap((value) => (value === null || value.includes('*') ? [] : [value]));
  return whole.length < values.length ? [] : whole;
}

export function theOnly(values: readonly (string | null)[]): string | null {
  const [only, ...others] = wholes(values);
  return others.length > 0 ? null : (only ?? null);
}

type Found = PlacesAnswer<readonly NamedPlace[]>;

/** Throws where too many would have to be examined. */
export async function placesOf(
  places: Places,
  wanted: PlacesWanted,
  refused: Refused,
): Promise<Found> {
  const { circle, ids, text, isNarrow, end } = wanted;
  if (circle !== null) {
    const { center, radiusM = 0 } = circle;
    const { max } = LIMITS.places.radiusM;
    if (radiusM > max) throw refused('cirkel', `the radius must be up to ${max} m`);
    const { value, ...facts } = await places.near(center, radiusM);
    const name = radiusM > 0 ? 'cirkel' : 'x';
    if (value.length >= LIMITS.places.near) throw refused(name, 'more places than are told');
    return { ...facts, value: value.map(({ place }) => place) };
  }
  if (ids.length > 0) return await byIds(places, ids, refused);
  if (text !== null) return searched(places, { ...wanted, text }, refused);
  const { value, ...facts } = places.scan(wanted);
  const most = isNarrow ? end : SCANNED + 1;
  const found = [...Iterator.from(value).take(most)];
  if (!isNarrow && found.length >= most) {
    throw refused('hovedtype', `more than ${SCANNED} places fit`);
  }
  return { ...facts, value: found };
}

async function byIds(places: Places, ids: readonly string[], refused: Refused): Promise<Found> {
  if (ids.length > IDS) {
    throw refused('id', `more than ${IDS} values`);
  }
  const { generation, provenance } = places.types();
  const found: NamedPlace[] = [];
  let isPartial = false;
  for (const each of ids) {
    const shaped = await places.find(each).catch((error: unknown) => {
      if (error instanceof Failure && error.type === 'not_found') return null;
      throw error;
    });
    if (shaped === null) continue;
    found.push(shaped.value.place);
    isPartial ||= shaped.isPartial === true;
  }
  return { generation, provenance, isPartial, value: found };
}

function searched(
  places: Places,
  { text, type, isSearch, end, municipalityCodes }: PlacesWanted & { readonly text: string },
  refused: Refused,
): Found {
  const known = places
    .types()
    .value.flatMap(({ mainType, subtypes }) => [mainType, ...subtypes])
    .find((each) => each.toLowerCase() === type?.toLowerCase());
  // No place has an unknown type.
  if (type !== null && known === undefined) return { ...places.types(), value: [] };
  const isCut = !isSearch || end > SEARCHED;
  const limit = isCut ? SEARCHED : end;
  const found = places.search({ text, type: known ?? null, municipalityCodes, limit });
  if (isCut && found.value.length >= SEARCHED) {
    throw refused('q', `more than ${SEARCHED} rows`);
  }
  return found;
}

export async function builtUpAt(places: Places, point: Point) {
  const { value, provenance } = await places.near(point, 0);
  if (value.length >= LIMITS.places.near) throw new Failure('upstream_unavailable');
  const towns = value.map(({ place }) => place);
  return { provenance, value: towns.filter(({ mainType }) => mainType === 'Bebyggelse') };
}

/** As GeoJSON. Throws where one is too large. */
export async function withGeometries<R extends { readonly place: { readonly id: string } }>(
  places: Places,
  rows: readonly R[],
  srid: 4326 | 25832,
): Promise<readonly (R & { readonly geometry: string })[]> {
  const shaped = [];
  for (const row of rows) {
    const { value } = await places.find(row.place.id);
    if (value.wkb === null) {
      throw upstreamUnavailable(
        'The geometry of a place is larger than this service sends.',
        'Et steds geometri er større, end tjenesten oplyser.',
      );
    }
    const geometry = Buffer.from(geometryJson(value.wkb, srid)).toString('latin1');
    shaped.push({ ...row, geometry });
  }
  return shaped;
}
