/**
 * Geometry to 2D little-endian WKB, EPSG:25832 metres: MultiPolygon for areas, MultiLineString for lines.
 * Vertices only lose Z.
 */
import MultiPoint from 'ol/geom/MultiPoint.js';
import Point from 'ol/geom/Point.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';
import type { Run } from './shape.ts';
import { checkShape, closeRings, linesOf, polygonsOf } from './shape.ts';

const LITTLE_ENDIAN = 1;
const POINT = 1;
const LINE = 2;
const POLYGON = 3;
const MULTI_POINT = 4;
const MULTI_LINE = 5;
const MULTI_POLYGON = 6;
/** Of one point of several: its head and two ordinates. */
const POINT_BYTES = 21;

/**
 * The WKB, or the reason there is none: the wrong kind, or refused by `checkShape`. Rings open by
 * less than a millimetre are closed.
 */
export function encodeWkb(
  geometry: SimpleGeometry,
  kind: 'area' | 'line',
): Uint8Array<ArrayBuffer> | { readonly refused: string } {
  const fault = checkShape(geometry) ?? closeRings(geometry);
  if (fault !== null) return { refused: fault };
  const polygons = kind === 'area' ? polygonsOf(geometry) : null;
  if (polygons !== null) return encode(geometry, MULTI_POLYGON, polygons);
  const lines = kind === 'line' ? linesOf(geometry) : null;
  if (lines !== null)
    return encode(
      geometry,
      MULTI_LINE,
      lines.map((line) => [line]),
    );
  return { refused: `a ${geometry.getType()} where an ${kind} is expected` };
}

/** For any kind, points as a MultiPoint; null for others. */
export function encodeAnyWkb(geometry: SimpleGeometry): Uint8Array<ArrayBuffer> | null {
  if ((checkShape(geometry) ?? closeRings(geometry)) !== null) return null;
  const polygons = polygonsOf(geometry);
  if (polygons !== null) return encode(geometry, MULTI_POLYGON, polygons);
  const lines = linesOf(geometry);
  if (lines !== null) {
    return encode(
      geometry,
      MULTI_LINE,
      lines.map((line) => [line]),
    );
  }
  const isPoints = geometry instanceof Point || geometry instanceof MultiPoint;
  return isPoints ? encodePoints(geometry) : null;
}

function encodePoints(geometry: SimpleGeometry): Uint8Array<ArrayBuffer> {
  const flat = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  const count = flat.length / stride;
  const bytes = new Uint8Array(9 + count * POINT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, LITTLE_ENDIAN);
  view.setUint32(1, MULTI_POINT, true);
  view.setUint32(5, count, true);
  for (let i = 0; i < count; i += 1) {
    const at = 9 + i * POINT_BYTES;
    view.setUint8(at, LITTLE_ENDIAN);
    view.setUint32(at + 1, POINT, true);
    view.setFloat64(at + 5, flat[i * stride] ?? NaN, true);
    view.setFloat64(at + 13, flat[i * stride + 1] ?? NaN, true);
  }
  return bytes;
}

/** Parts of runs: a polygon of rings, or a single line. */
function encode(
  geometry: SimpleGeometry,
  type: typeof MULTI_LINE | typeof MULTI_POLYGON,
  parts: readonly (readonly Run[])[],
): Uint8Array<ArrayBuffer> {
  const flat = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  const isArea = type === MULTI_POLYGON;
  const bytes = new Uint8Array(sizeOf(parts, stride, isArea));
  const view = new DataView(bytes.buffer);
  let at = 0;
  const uint = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const header = (code: number): void => {
    view.setUint8(at, LITTLE_ENDIAN);
    at += 1;
    uint(code);
  };
  header(type);
  uint(parts.length);
  for (const part of parts) {
    header(isArea ? POLYGON : LINE);
    if (isArea) uint(part.length);
    for (const { start, end } of part) {
      uint((end - start) / stride);
      for (let index = start; index < end; index += stride) {
        view.setFloat64(at, flat[index] ?? NaN, true);
        view.setFloat64(at + 8, flat[index + 1] ?? NaN, true);
        at += 16;
      }
    }
  }
  return bytes;
}

function sizeOf(parts: readonly (readonly Run[])[], stride: number, isArea: boolean): number {
  let size = 9;
  for (const part of parts) {
    size += isArea ? 9 : 5;
    for (const { start, end } of part) size += 4 + ((end - start) / stride) * 16;
  }
  return size;
}
