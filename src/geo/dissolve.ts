/**
 * The edges of the zones that touching areas make (D27), put together in memory: for live lookups,
 * where no database is asked. The one file that knows JSTS.
 *
 * Same rule as the mirror's zones (registers/building-lines/zones.ts): a slit within the tolerance is
 * no gap, so the union is grown by half of it and shrunk again with mitred joins.
 */
import Coordinate from 'jsts/org/locationtech/jts/geom/Coordinate.js';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js';
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js';
import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { RING, RingSink, lineWkb, readWkb } from './wkb.ts';

/** What is used of a JSTS geometry; the package types everything as any. */
interface Geometry {
  getBoundary(): Geometry;
  getNumGeometries(): number;
  getGeometryN(n: number): Geometry;
  getCoordinates(): readonly { readonly x: number; readonly y: number }[];
}

interface Factory {
  createLinearRing(coordinates: readonly unknown[]): Geometry;
  createPolygon(shell: Geometry, holes: readonly Geometry[]): Geometry;
  createGeometryCollection(members: readonly Geometry[]): Geometry;
}

const factory = new GeometryFactory() as unknown as Factory;

/** Gaps up to this wide are no gaps, metres. */
const GAP_M = 0.0012;
const MITRE_LIMIT = 1000;

/**
 * The outer and inner edges of the union of the areas, as line WKB; none for no areas. `areas`: WKB
 * polygons in EPSG:25832. Throws when an area is invalid or the union cannot be computed: a guess
 * would be a wrong distance.
 */
export function zoneEdges(areas: readonly Uint8Array[]): Uint8Array[] {
  if (areas.length === 0) return [];
  const union = UnaryUnionOp.union(
    factory.createGeometryCollection(areas.flatMap(polygonsOf)),
  ) as Geometry;
  const edges = closed(union).getBoundary();
  return Array.from({ length: edges.getNumGeometries() }, (_, n) =>
    lineWkb(
      edges
        .getGeometryN(n)
        .getCoordinates()
        .flatMap(({ x, y }) => [x, y]),
    ),
  );
}

function closed(union: Geometry): Geometry {
  const mitred = new BufferParameters(
    1,
    BufferParameters.CAP_FLAT,
    BufferParameters.JOIN_MITRE,
    MITRE_LIMIT,
  );
  const grown = BufferOp.bufferOp(union, GAP_M / 2, mitred) as Geometry;
  return BufferOp.bufferOp(grown, -GAP_M / 2, mitred) as Geometry;
}

function polygonsOf(wkb: Uint8Array): Geometry[] {
  const rings = new RingSink();
  readWkb(wkb, rings);
  const xy = rings.xy.view();
  const starts = rings.starts.view();
  const polygons: { shell: Geometry; holes: Geometry[] }[] = [];
  for (const [ring, kind] of rings.kinds.view().entries()) {
    const linear = factory.createLinearRing(
      coordinates(xy.subarray(2 * (starts[ring] ?? 0), 2 * (starts[ring + 1] ?? xy.length / 2))),
    );
    if (kind === RING.shell) polygons.push({ shell: linear, holes: [] });
    else if (kind === RING.hole) polygons.at(-1)?.holes.push(linear);
    else throw new Error('An area is made of polygons.');
  }
  return polygons.map(({ shell, holes }) => {
    const polygon = factory.createPolygon(shell, holes);
    if (!IsValidOp.isValid(polygon)) throw new Error('An area is not valid.');
    return polygon;
  });
}

function coordinates(xy: Float64Array): unknown[] {
  return Array.from(
    { length: xy.length / 2 },
    (_, n): unknown => new Coordinate(xy[2 * n], xy[2 * n + 1]),
  );
}
