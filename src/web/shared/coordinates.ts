/**
 * As people type it: WGS84 or EPSG:25832, point or comma, either order; in Denmark they differ.
 */
import { isInDenmark } from '../../geo/point.ts';
import { toUtm32, toWgs84 } from '../../geo/project.ts';

/** In its given frame, sent unchanged. */
export type Place =
  | { readonly srid: 4326; readonly lon: number; readonly lat: number }
  | { readonly srid: 25832; readonly x: number; readonly y: number };

export type Parsed =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'text' }
  | { readonly kind: 'refused'; readonly reason: 'outside' | 'incomplete' };

const MOST_CHARS = 80;
/** Metres of Denmark and the sea around it in EPSG:25832. */
const EASTING = { min: 300_000, max: 1_000_000 };
const NORTHING = { min: 5_900_000, max: 6_600_000 };
const MOST_DEGREES = 180;

/** They add nothing: the values tell. */
const MARKS =
  /\b(?:lat|lon|lng|breddegrad|længdegrad|bredde|længde|easting|northing|point|(?:epsg|srid)[:=]?\s*(?:25832|4326)|utm\s*(?:zone\s*)?32\s*n?)\b|[xyenøs](?=[\s:=.]*[-+\d])|(?<=\d\s?°?\s?)[enøs]\b|[:=°()[\]]/giu;

export function parseCoordinates(given: string): Parsed {
  if (given.length > MOST_CHARS) return { kind: 'text' };
  const bare = given.replaceAll(MARKS, ' ').trim();
  if (bare === '' || !/^[-+\d\s.,;/]+$/.test(bare)) return { kind: 'text' };
  const values = splitPair(bare).map(numberOf);
  const [first, second, ...more] = values;
  if (first === undefined || first === null || second === undefined || second === null) {
    return { kind: 'refused', reason: 'incomplete' };
  }
  if (more.length > 0) return { kind: 'refused', reason: 'incomplete' };
  const place = placeOf(first, second);
  if (place !== null) return { kind: 'place', place };
  // One number with a decimal comma looks like a pair.
  const isOne = /^[-+]?\d+,\d+$/.test(bare);
  return { kind: 'refused', reason: isOne ? 'incomplete' : 'outside' };
}

/** Where a comma can be both, one that leaves a pair separates. */
function splitPair(text: string): readonly string[] {
  const parts = text
    .split(/[\s;/]+/)
    .map((part) => part.replace(/^[,.]+|[,.]+$/g, ''))
    .filter((part) => part !== '');
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return parts;
  const pieces = only.split(',');
  // `56.95,11.38` and `644877,6314760`; `56,95,11,38` has a decimal comma in both.
  if (pieces.length === 2) return pieces;
  if (pieces.length === 4) {
    return [pieces.slice(0, 2).join(','), pieces.slice(2).join(',')];
  }
  return parts;
}

/** With point or comma, thousands in groups or not; null: none. */
function numberOf(text: string): number | null {
  const groups = /^[-+]?\d{1,3}(?:\.\d{3}){1,2}(?:,\d+)?$/;
  const plain = /^[-+]?\d+(?:[.,]\d+)?$/;
  if (plain.test(text)) {
    const value = Number(text.replace(',', '.'));
    // `644.877` is no degree, so its point parts thousands.
    const grouped = groups.test(text) && text.includes('.') && Math.abs(value) > MOST_DEGREES;
    return grouped ? Number(text.replace('.', '')) : value;
  }
  return groups.test(text) ? Number(text.replaceAll('.', '').replace(',', '.')) : null;
}

/** In the one order that lies in Denmark (D35); null: neither does. */
function placeOf(first: number, second: number): Place | null {
  for (const [a, b] of [
    [first, second],
    [second, first],
  ] as const) {
    if (isInDenmark({ lon: a, lat: b })) return { srid: 4326, lon: a, lat: b };
    const metric = a >= EASTING.min && a <= EASTING.max && b >= NORTHING.min && b <= NORTHING.max;
    if (metric && isInDenmark(toWgs84({ xUtm32: a, yUtm32: b })))
      return { srid: 25832, x: a, y: b };
  }
  return null;
}

/** As the service takes them (D36). */
export function queryOf(place: Place): string {
  return place.srid === 4326
    ? `lon=${place.lon}&lat=${place.lat}`
    : `x=${place.x}&y=${place.y}&srid=25832`;
}

/** Of a computed degree: 1 mm. */
export const DEGREE_DECIMALS = 8;

export function degreesOf(place: Place): { readonly lon: number; readonly lat: number } {
  return place.srid === 4326 ? place : toWgs84({ xUtm32: place.x, yUtm32: place.y });
}

/** Easting and northing in EPSG:25832. */
export function metresOf(place: Place): readonly [x: number, y: number] {
  if (place.srid === 25832) return [place.x, place.y];
  const { xUtm32, yUtm32 } = toUtm32(place);
  return [xUtm32, yUtm32];
}

const CLICK_DECIMALS = 7;

/** To about a centimetre; null: outside Denmark (D35). */
export function placeOfClick(lon: number, lat: number): Place | null {
  const place = {
    srid: 4326 as const,
    lon: Number(lon.toFixed(CLICK_DECIMALS)),
    lat: Number(lat.toFixed(CLICK_DECIMALS)),
  };
  return isInDenmark(place) ? place : null;
}
