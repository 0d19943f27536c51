/** Conversion to EPSG:25832. An unknown system is refused: a wrong frame would give a false no. */
import type { SimpleGeometry } from 'ol/geom.js';
import { toUtm32Into, utm33ToUtm32Into } from '../geo/project.ts';

export interface Crs {
  readonly plane: Plane;
  /** Second coordinate first: north before east, latitude before longitude. */
  readonly swapped: boolean;
}

/** ETRS89 / UTM 32N or 33N, or degrees. */
type Plane = 'utm32' | 'utm33' | 'degrees';

interface Known {
  readonly plane: Plane;
  /** North is first whatever form the name has. */
  readonly northFirst?: true;
  /** A third ordinate is a height, also where nothing says how many there are. */
  readonly isSolid?: true;
}

/**
 * By EPSG code. 3044 and 3045 are 25832 and 25833 with northing first; 7416 and 7417 have the
 * Danish height. WGS84 and ETRS89 are equal to a metre by definition, and equal to PROJ and
 * PostGIS.
 */
const SYSTEMS: Readonly<Record<string, Known>> = {
  '25832': { plane: 'utm32' },
  '3044': { plane: 'utm32', northFirst: true },
  '7416': { plane: 'utm32', isSolid: true },
  '25833': { plane: 'utm33' },
  '3045': { plane: 'utm33', northFirst: true },
  '7417': { plane: 'utm33', isSolid: true },
  '4326': { plane: 'degrees' },
  '4258': { plane: 'degrees' },
  '4937': { plane: 'degrees', isSolid: true },
  '4979': { plane: 'degrees', isSolid: true },
};

/**
 * null: unknown. For degrees as GeoServer and OGC: URN and http-URI mean latitude first, the short
 * form and the old epsg.xml form longitude first.
 */
export function crsOf(name: string): Crs | null {
  const trimmed = name.trim();
  if (/CRS:?84h?$/i.test(trimmed)) return { plane: 'degrees', swapped: false };
  const known = SYSTEMS[epsgCodes(trimmed)[0] ?? ''];
  if (known === undefined) return null;
  const { plane, northFirst = false } = known;
  const isFormal = /^urn:|^https?:\/\/[^#]*\/def\/crs/i.test(trimmed);
  return { plane, swapped: northFirst || (plane === 'degrees' && isFormal) };
}

export function dimensionOf(name: string | null): 2 | 3 {
  const trimmed = name?.trim() ?? '';
  const codes = epsgCodes(trimmed);
  const isSolid = codes.length > 1 || SYSTEMS[codes[0] ?? '']?.isSolid === true;
  return isSolid || /CRS:?84h$/i.test(trimmed) ? 3 : 2;
}

/** The same frame and axis order; null: no name. */
export function sameCrs(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const [first, second] = [crsOf(a), crsOf(b)];
  return first !== null && first.plane === second?.plane && first.swapped === second.swapped;
}

const FORMS = [
  /^(?:EPSG:)?(\d+)$/i,
  /^urn:(?:x-)?ogc:def:crs:EPSG:(?:[\d.]*:)?(\d+)$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[^/]+\/(\d+)$/i,
  /^https?:\/\/www\.opengis\.net\/gml\/srs\/epsg\.xml#(\d+)$/i,
];

const COMPOUND_FORMS = [
  /^EPSG:(\d+)\+(?:EPSG:)?(\d+)$/i,
  /^urn:(?:x-)?ogc:def:crs,crs:EPSG:(?:[\d.]*:)?(\d+),crs:EPSG:(?:[\d.]*:)?(\d+)$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs-compound\?1=.*\/EPSG\/[^/]+\/(\d+)&2=.*\/EPSG\/[^/]+\/(\d+)$/i,
];

function epsgCodes(name: string): readonly string[] {
  for (const form of [...FORMS, ...COMPOUND_FORMS]) {
    const [, ...codes] = form.exec(name) ?? [];
    if (codes.length > 0) return codes;
  }
  return [];
}

/** Contains all register data, Bornholm included. EPSG:25832, metres. */
const PLAUSIBLE = { minX: 400_000, maxX: 900_000, minY: 6_000_000, maxY: 6_450_000 };

/**
 * In place; returns null, or the reason: an unknown CRS, or coordinates outside Denmark (a wrong
 * CRS or swapped axes).
 */
export function bringToUtm32(geometry: SimpleGeometry, crsName: string): string | null {
  const crs = crsOf(crsName);
  if (crs === null) return `CRS ${crsName.slice(0, 80)} is not one the service can project`;
  const flat = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  const { plane, swapped } = crs;
  const xy = new Float64Array(2);
  for (let at = 0; at < flat.length; at += stride) {
    const first = flat[at] ?? NaN;
    const second = flat[at + 1] ?? NaN;
    const x = swapped ? second : first;
    const y = swapped ? first : second;
    projectInto(plane, x, y, xy);
    if (!isPlausible(xy)) {
      return `${first} ${second} in ${crsName.slice(0, 80)} is not in or near Denmark`;
    }
    flat[at] = xy[0] ?? NaN;
    flat[at + 1] = xy[1] ?? NaN;
  }
  geometry.changed();
  return null;
}

function projectInto(plane: Plane, x: number, y: number, target: Float64Array): void {
  if (plane === 'degrees') toUtm32Into({ lon: x, lat: y }, target);
  else if (plane === 'utm33') utm33ToUtm32Into(x, y, target);
  else {
    target[0] = x;
    target[1] = y;
  }
}

/** EPSG:25832; null: unknown CRS, or not in or near Denmark. */
export function toUtm32Pair(
  crsName: string,
  first: number,
  second: number,
): readonly [number, number] | null {
  const crs = crsOf(crsName);
  if (crs === null) return null;
  const xy = new Float64Array(2);
  projectInto(crs.plane, crs.swapped ? second : first, crs.swapped ? first : second, xy);
  return isPlausible(xy) ? [xy[0] ?? NaN, xy[1] ?? NaN] : null;
}

function isPlausible([x = NaN, y = NaN]: Float64Array): boolean {
  return x >= PLAUSIBLE.minX && x <= PLAUSIBLE.maxX && y >= PLAUSIBLE.minY && y <= PLAUSIBLE.maxY;
}
