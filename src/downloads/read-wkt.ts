import WKT from 'ol/format/WKT.js';
import SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import type { ReadFeature } from '../wfs/read-feature.ts';
import { checkShape } from '../wfs/shape.ts';

export type Shape = Omit<ReadFeature, 'properties'>;

/** `SRID=25832;MULTIPOLYGON Z (((…)))`; the SRID is optional. */
const EWKT = /^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([A-Z][^]*(?:\)|EMPTY))\s*$/i;

const reader = new WKT();

export function readWkt(value: unknown): Shape {
  if (value === null || value === undefined || value === '') {
    return { geometry: null, crs: null, refused: null };
  }
  const [, srid, wkt] = (typeof value === 'string' ? EWKT.exec(value) : null) ?? [];
  if (wkt === undefined || !isOneGeometry(wkt)) return refused('a geometry that is no WKT');
  const crs = srid === undefined ? null : `EPSG:${srid}`;
  try {
    const geometry = reader.readGeometry(wkt);
    if (!(geometry instanceof SimpleGeometry)) return refused('a collection of geometries', crs);
    const fault = checkShape(geometry);
    return fault === null ? { geometry, crs, refused: null } : refused(fault, crs);
  } catch (error) {
    // The parser's message repeats the whole text.
    return refused(error instanceof Error ? error.message.slice(0, 80) : 'unreadable WKT', crs);
  }
}

/** The text ends with its first geometry: the parser reads no further. */
function isOneGeometry(wkt: string): boolean {
  let depth = 0;
  for (let at = 0; at < wkt.length; at += 1) {
    if (wkt[at] === '(') depth += 1;
    else if (wkt[at] === ')') {
      depth -= 1;
      if (depth === 0) return at === wkt.length - 1;
    }
  }
  return /^[A-Z]+(\s+(Z|M|ZM))?\s+EMPTY$/i.test(wkt);
}

export function refused(reason: string, crs: string | null = null): Shape {
  return { geometry: null, crs, refused: reason };
}
