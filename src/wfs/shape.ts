/** What every geometry must be before it is stored: finite, rings closed and of four points. */
import LineString from 'ol/geom/LineString.js';
import MultiLineString from 'ol/geom/MultiLineString.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import Polygon from 'ol/geom/Polygon.js';
import type SimpleGeometry from 'ol/geom/SimpleGeometry.js';

/** A run of vertices in flat coordinates: a ring or a line. */
export interface Run {
  /** Index of the first ordinate, and after the last. */
  readonly start: number;
  readonly end: number;
}

/** Polygons of rings, or null when the geometry has no area. */
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

/** Lines, or null when the geometry has no length. */
export function linesOf(geometry: SimpleGeometry): Run[] | null {
  if (geometry instanceof LineString) {
    return [{ start: 0, end: geometry.getFlatCoordinates().length }];
  }
  return geometry instanceof MultiLineString ? runs(geometry.getEnds(), 0) : null;
}

/** Why a geometry is not fit to be used, or null. Self-intersection is for the store to repair. */
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
    for (const ring of polygon) {
      const fault = checkRing(flat, ring, stride);
      if (fault !== null) return fault;
    }
  }
  for (const { start, end } of linesOf(geometry) ?? []) {
    if (end - start < 2 * stride) return 'a line of fewer than two points';
  }
  return null;
}

function checkRing(flat: readonly number[], { start, end }: Run, stride: number): string | null {
  if (end - start < 4 * stride) return 'a ring of fewer than four points';
  const last = end - stride;
  const closed = flat[start] === flat[last] && flat[start + 1] === flat[last + 1];
  return closed ? null : 'a ring that is not closed';
}

function runs(ends: readonly number[], first: number): Run[] {
  return ends.map((end, index) => ({ start: index === 0 ? first : (ends[index - 1] ?? 0), end }));
}
