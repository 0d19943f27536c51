/**
 * 2D little-endian WKB, EPSG:25832 metres: MultiPolygon for areas, MultiLineString for lines.
 * Vertices only lose Z.
 */
import MultiPoint from 'ol/geom/MultiPoint.js';
import Point from 'ol/geom/Point.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import { multiWkb } from '../geo/wkb.ts';
import type { Stretch } from '../geo/wkb.ts';
import type { Run } from './shape.ts';
import { checkShape, closeRings, linesOf, polygonsOf } from './shape.ts';

/**
 * The WKB, or why there is none: the wrong kind, or refused by `checkShape`. Rings open by less
 * than a millimetre are closed.
 */
export function encodeWkb(
  geometry: SimpleGeometry,
  kind: 'area' | 'line',
): Uint8Array<ArrayBuffer> | { readonly refused: string } {
  const fault = checkShape(geometry) ?? closeRings(geometry);
  if (fault !== null) return { refused: fault };
  const wkb = kind === 'area' ? areas(geometry) : lines(geometry);
  return wkb ?? { refused: `a ${geometry.getType()} where an ${kind} is expected` };
}

/** Points as a MultiPoint; null for other kinds. */
export function encodeAnyWkb(geometry: SimpleGeometry): Uint8Array<ArrayBuffer> | null {
  if ((checkShape(geometry) ?? closeRings(geometry)) !== null) return null;
  return areas(geometry) ?? lines(geometry) ?? points(geometry);
}

function areas(geometry: SimpleGeometry): Uint8Array<ArrayBuffer> | null {
  const polygons = polygonsOf(geometry);
  const stretchOf = stretchesOf(geometry);
  return (
    polygons &&
    multiWkb(
      'polygon',
      polygons.map((rings) => rings.map(stretchOf)),
    )
  );
}

function lines(geometry: SimpleGeometry): Uint8Array<ArrayBuffer> | null {
  const runs = linesOf(geometry);
  const stretchOf = stretchesOf(geometry);
  return (
    runs &&
    multiWkb(
      'line',
      runs.map((run) => [stretchOf(run)]),
    )
  );
}

function points(geometry: SimpleGeometry): Uint8Array<ArrayBuffer> | null {
  if (!(geometry instanceof Point || geometry instanceof MultiPoint)) return null;
  const stride = geometry.getStride();
  const stretchOf = stretchesOf(geometry);
  const count = geometry.getFlatCoordinates().length / stride;
  const at = (i: number): Run => ({ start: i * stride, end: (i + 1) * stride });
  return multiWkb(
    'point',
    Array.from({ length: count }, (_, i) => [stretchOf(at(i))]),
  );
}

function stretchesOf(geometry: SimpleGeometry): (run: Run) => Stretch {
  const [flat, stride] = [geometry.getFlatCoordinates(), geometry.getStride()];
  return ({ start, end }) => ({ flat, start, end, stride });
}
