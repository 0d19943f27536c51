/**
 * Edges of the zones of touching areas (D27) without a database, by the rule of
 * registers/lines/zones.ts.
 */
import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js';
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js';
import UnaryUnionOp from 'jsts/org/locationtech/jts/operation/union/UnaryUnionOp.js';
import { jtsFactory, jtsPolygons } from './jts.ts';
import type { JtsGeometry } from './jts.ts';
import { lineWkb } from './wkb.ts';

/** Wider gaps stay open. */
const GAP_M = 0.0012;
const MITRE_LIMIT = 1000;

/**
 * Edges of the union as line WKB. `areas`: valid WKB polygons in EPSG:25832. Throws when the union
 * cannot be computed.
 */
export function zoneEdges(areas: readonly Uint8Array[]): Uint8Array[] {
  if (areas.length === 0) return [];
  const union = UnaryUnionOp.union(
    jtsFactory.createGeometryCollection(areas.flatMap(jtsPolygons)),
  ) as JtsGeometry;
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

function closed(union: JtsGeometry): JtsGeometry {
  const mitred = new BufferParameters(
    1,
    BufferParameters.CAP_FLAT,
    BufferParameters.JOIN_MITRE,
    MITRE_LIMIT,
  );
  const grown = BufferOp.bufferOp(union, GAP_M / 2, mitred) as JtsGeometry;
  return BufferOp.bufferOp(grown, -GAP_M / 2, mitred) as JtsGeometry;
}
