/**
 * The coordinate systems of the registers, converted to EPSG:25832. An unknown one is refused: a wrong
 * frame would give a false no.
 */
import type { SimpleGeometry } from 'ol/geom.js';
import { toUtm32Into } from '../geo/project.ts';

export type Crs =
  /** ETRS89 / UTM 32N, easting then northing; `swapped` for the north-east variant. */
  | { readonly kind: 'utm32'; readonly swapped: boolean }
  /** `latFirst`: order in the document. */
  | { readonly kind: 'degrees'; readonly latFirst: boolean };

/**
 * ETRS89/UTM32 in metres. 7416 is 25832 with the Danish height, 3044 the same plane with northing
 * first.
 */
const UTM32_CODES = ['25832', '7416'];
const UTM32_NORTH_FIRST_CODES = ['3044'];
/** WGS84 and ETRS89: equal to a metre by definition, and treated as equal by PROJ and PostGIS. */
const DEGREE_CODES = ['4326', '4258'];

/**
 * The coordinate system of a name, or null. For degrees as GeoServer and OGC: URN and http-URI mean
 * latitude first, the short form and the old epsg.xml form longitude first.
 */
export function crsOf(name: string): Crs | null {
  const trimmed = name.trim();
  if (/CRS:?84$/i.test(trimmed)) return { kind: 'degrees', latFirst: false };
  const code = epsgCode(trimmed);
  if (code === null) return null;
  if (UTM32_CODES.includes(code)) return { kind: 'utm32', swapped: false };
  if (UTM32_NORTH_FIRST_CODES.includes(code)) return { kind: 'utm32', swapped: true };
  if (!DEGREE_CODES.includes(code)) return null;
  return { kind: 'degrees', latFirst: /^urn:|^https?:\/\/[^#]*\/def\/crs\//i.test(trimmed) };
}

/** Whether two names (null: none) mean the same frame and axis order. */
export function sameCrs(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const [first, second] = [crsOf(a), crsOf(b)];
  return first !== null && second !== null && JSON.stringify(first) === JSON.stringify(second);
}

const FORMS = [
  /^(?:EPSG:)?(\d+)$/i,
  /^urn:(?:x-)?ogc:def:crs:EPSG:(?:[\d.]*:)?(\d+)$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[^/]+\/(\d+)$/i,
  /^https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#(\d+)$/i,
];

function epsgCode(name: string): string | null {
  for (const form of FORMS) {
    const code = form.exec(name)?.[1];
    if (code !== undefined) return code;
  }
  return null;
}

/** Contains all register data, Bornholm included. EPSG:25832, metres. */
const PLAUSIBLE = { minX: 400_000, maxX: 900_000, minY: 6_000_000, maxY: 6_450_000 };

/**
 * Converts a geometry to EPSG:25832 in place; returns null, or the reason: an unknown CRS, or coordinates
 * outside Denmark (a wrong CRS or swapped axes).
 */
export function bringToUtm32(geometry: SimpleGeometry, crsName: string): string | null {
  const crs = crsOf(crsName);
  if (crs === null) return `CRS ${crsName.slice(0, 80)} is not one the service can project`;
  const flat = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  const swapped = crs.kind === 'utm32' ? crs.swapped : crs.latFirst;
  const xy = new Float64Array(2);
  for (let at = 0; at < flat.length; at += stride) {
    const first = flat[at] ?? NaN;
    const second = flat[at + 1] ?? NaN;
    const x = swapped ? second : first;
    const y = swapped ? first : second;
    if (crs.kind === 'degrees') toUtm32Into({ lon: x, lat: y }, xy);
    else {
      xy[0] = x;
      xy[1] = y;
    }
    if (!isPlausible(xy)) {
      return `${first} ${second} in ${crsName.slice(0, 80)} is not in or near Denmark`;
    }
    flat[at] = xy[0] ?? NaN;
    flat[at + 1] = xy[1] ?? NaN;
  }
  geometry.changed();
  return null;
}

/** A position in EPSG:25832; null: unknown CRS, or not in or near Denmark. */
export function toUtm32Pair(
  crsName: string,
  first: number,
  second: number,
): readonly [number, number] | null {
  const crs = crsOf(crsName);
  if (crs === null) return null;
  const swapped = crs.kind === 'utm32' ? crs.swapped : crs.latFirst;
  const xy = new Float64Array(swapped ? [second, first] : [first, second]);
  const [x = NaN, y = NaN] = xy;
  if (crs.kind === 'degrees') toUtm32Into({ lon: x, lat: y }, xy);
  return isPlausible(xy) ? [xy[0] ?? NaN, xy[1] ?? NaN] : null;
}

function isPlausible([x = NaN, y = NaN]: Float64Array): boolean {
  return x >= PLAUSIBLE.minX && x <= PLAUSIBLE.maxX && y >= PLAUSIBLE.minY && y <= PLAUSIBLE.maxY;
}
