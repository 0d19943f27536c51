/** The position of an unreadable table row (D143), from the readable part of its geometry. */
import type { Bounds } from '../geo/bounds.ts';
import { placeOf } from '../wfs/remains.ts';
import type { Remains } from '../wfs/remains.ts';
import { remainsOfWkt } from './remains.ts';

const CRS = 'EPSG:25832';
/** Complete: in a truncated one the last number is wrong. */
const IS_POINT = /^\s*(SRID\s*=\s*\d+\s*;)?\s*POINT\s*Z?\s*\([^()]*\)\s*$/i;

/** null: nothing reveals the position. */
export function boxOfText(text: string): Bounds | null {
  const remains = remainsOfWkt(text);
  const place = placeOf(remains, CRS);
  if (place?.isWhole === true) return place.box;
  // A readable point in an unreadable row.
  return IS_POINT.test(text) ? pointIn(remains.shape) : null;
}

function pointIn([written, ...others]: Remains['shape']): Bounds | null {
  if (written === undefined || others.length > 0 || (written.crs ?? CRS) !== CRS) return null;
  const [x, y, ...more] = written.flat;
  return x === undefined || y === undefined || more.length > 0 ? null : [x, y, x, y];
}
