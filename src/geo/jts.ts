/** The package types everything as any. */
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { RING, ringsOfWkb } from './wkb.ts';

export interface JtsAt {
  readonly x: number;
  readonly y: number;
}

export interface JtsGeometry {
  getBoundary(): JtsGeometry;
  getNumGeometries(): number;
  getGeometryN(n: number): JtsGeometry;
  getCoordinates(): readonly JtsAt[];
}

interface Factory {
  createLineString(coordinates: readonly unknown[]): JtsGeometry;
  createLinearRing(coordinates: readonly unknown[]): JtsGeometry;
  createPolygon(shell: JtsGeometry, holes: readonly JtsGeometry[]): JtsGeometry;
  createMultiPolygon(polygons: readonly JtsGeometry[]): JtsGeometry;
  createGeometryCollection(members: readonly JtsGeometry[]): JtsGeometry;
}

export const jtsFactory = new GeometryFactory() as unknown as Factory;

/** `ST_IsValid`. */
export function isSoundArea(wkb: Uint8Array): boolean {
  try {
    return IsValidOp.isValid(jtsFactory.createMultiPolygon(jtsPolygons(wkb)));
  } catch {
    // A ring with too few points cannot be created.
    return false;
  }
}

/** `wkb`: polygons in EPSG:25832. Throws on anything else, and on open rings. */
export function jtsPolygons(wkb: Uint8Array): JtsGeometry[] {
  const rings = ringsOfWkb(wkb);
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  const polygons: { shell: JtsGeometry; holes: JtsGeometry[] }[] = [];
  for (const [ring, kind] of rings.kinds.view().entries()) {
    const linear = jtsFactory.createLinearRing(
      coordinates(xy.subarray(2 * (starts[ring] ?? 0), 2 * (starts[ring + 1] ?? xy.length / 2))),
    );
    if (kind === RING.shell) polygons.push({ shell: linear, holes: [] });
    else if (kind === RING.hole) polygons.at(-1)?.holes.push(linear);
    else throw new Error('An area is made of polygons.');
  }
  return polygons.map(({ shell, holes }) => jtsFactory.createPolygon(shell, holes));
}

function coordinates(xy: Float64Array): unknown[] {
  return Array.from(
    { length: xy.length / 2 },
    (_, n): unknown => new Coordinate(xy[2 * n], xy[2 * n + 1]),
  );
}
