/** Where a row of a table lies that cannot be read (D143): by what of its geometry can be. */
import type { Bounds } from '../geo/bounds.ts';
import { placeOf } from '../wfs/remains.ts';
import type { Remains } from '../wfs/remains.ts';
import { remainsOfWkt } from './remains.ts';

const CRS = 'EPSG:25832';
/** Whole: of one that was cut the last number is another. */
const IS_POINT = /^\s*(SRID\s*=\s*\d+\s*;)?\s*POINT\s*Z?\s*\([^()]*\)\s*$/i;

/** Of a geometry as it came; null: nothing of it tells where it is. */
export function boxOfText(text: string): Bounds | null {
  const remains = remainsOfWkt(text);
  const place = placeOf(remains, CRS);
  if (place !== null) return place.box;
  // A point that can be read, in a row that cannot.
  return IS_POINT.test(text) ? pointIn(remains.shape) : null;
}

function pointIn([written, ...others]: Remains['shape']): Bounds | null {
  if (written === undefined || others.length > 0 || (written.crs ?? CRS) !== CRS) return null;
  const [x, y, ...more] = written.flat;
  return x === undefined || y === undefined || more.length > 0 ? null : [x, y, x, y];
}
