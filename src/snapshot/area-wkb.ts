/** The exact geometry of an area out of its snapshot, as the store would give it. */
import { RING, multiPolygonWkb } from '../geo/wkb.ts';
import type { FlatRing } from '../geo/wkb.ts';
import type { LayerSnapshot } from './layer.ts';

/** MULTIPOLYGON as 2D WKB, EPSG:25832. Tens of megabytes for a region at 1:10,000. */
export function areaWkb(
  { xy, ringStarts, ringKinds, featureRings }: LayerSnapshot,
  feature: number,
): Uint8Array {
  const polygons: FlatRing[][] = [];
  for (let ring = featureRings[feature]!; ring < featureRings[feature + 1]!; ring++) {
    const vertices = xy.subarray(2 * ringStarts[ring]!, 2 * ringStarts[ring + 1]!);
    if (vertices.length === 0) continue;
    const shell = polygons.at(-1);
    if (ringKinds[ring] === RING.hole && shell !== undefined) shell.push(vertices);
    else polygons.push([vertices]);
  }
  return multiPolygonWkb(polygons);
}
