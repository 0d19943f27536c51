import LineString from 'ol/geom/LineString.js';
import MultiLineString from 'ol/geom/MultiLineString.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import Polygon from 'ol/geom/Polygon.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';

/** A ring or line as a range of flat coordinates. */
export interface Run {
  /** `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** null when the geometry has no area. */
export function polygonsOf(geometry: SimpleGeometry): Run[][] | null {
  if (geometry instanceof Polygon) return [runs(geometry.getEnds(), 0)];
  if (!(geometry instanceof MultiPolygon)) return null;
  let start = 0;
  return geometry.getEndss().map((ends) => {
    const rings = runs(ends, start);
    start = ends.at(-1) ?? start;
    return rings;
  });
}

/** null when the geometry has no length. */
export function linesOf(geometry: SimpleGeometry): Run[] | null {
  if (geometry instanceof LineString) {
    return [{ start: 0, end: geometry.getFlatCoordinates().length }];
  }
  return geometry instanceof MultiLineString ? runs(geometry.getEnds(), 0) : null;
}

/**
 * null, or why the geometry is unusable: it must be finite, in closed rings of at least four
 * points. The store repairs self-intersections.
 */
export function checkShape(geometry: SimpleGeometry): string | null {
  const flat = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  if (flat.length === 0) return `an empty ${geometry.getType()}`;
  for (let at = 0; at < flat.length; at += stride) {
    if (!Number.isFinite(flat[at]) || !Number.isFinite(flat[at + 1])) {
      return 'a coordinate that is no finite number';
    }
  }
  for (const polygon of polygonsOf(geometry) ?? []) {
    for (const { start, end } of polygon) {
      if (end - start < 4 * stride) return 'a ring of fewer than four points';
    }
  }
  for (const { start, end } of linesOf(geometry) ?? []) {
    if (end - start < 2 * stride) return 'a line of fewer than two points';
  }
  return null;
}

/** A ring whose ends are closer than this is closed, metres (D143). */
const CLOSED_M = 0.001;

/** Changes a geometry in metres in place; null, or why a ring cannot be closed. */
export function closeRings(geometry: SimpleGeometry): string | null {
  const flat = geometry.getFlatCoordinates();
  const stride = geometry.getStride();
  for (const { start, end } of polygonsOf(geometry)?.flat() ?? []) {
    const last = end - stride;
    const [x, y] = [flat[start] ?? NaN, flat[start + 1] ?? NaN];
    const gapM = Math.hypot((flat[last] ?? NaN) - x, (flat[last + 1] ?? NaN) - y);
    if (!(gapM < CLOSED_M)) return 'a ring that is not closed';
    flat[last] = x;
    flat[last + 1] = y;
  }
  return null;
}

function runs(ends: readonly number[], first: number): Run[] {
  return ends.map((end, index) => ({ start: index === 0 ? first : (ends[index - 1] ?? 0), end }));
}
