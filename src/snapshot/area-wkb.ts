import type { PointUtm32 } from '../geo/point.ts';
import { RING, multiPolygonWkb } from '../geo/wkb.ts';
import type { FlatRing } from '../geo/wkb.ts';
import type { LayerSnapshot } from './layer.ts';

/** 2D MULTIPOLYGON: tens of megabytes for a region at 1:10,000. */
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

export function someVertices(
  { xy, ringStarts, featureRings }: LayerSnapshot,
  feature: number,
  wanted: number,
): PointUtm32[] {
  const from = ringStarts[featureRings[feature]!]!;
  const until = ringStarts[featureRings[feature + 1]!]!;
  const step = Math.max(1, Math.floor((until - from) / wanted));
  const points: PointUtm32[] = [];
  for (let vertex = from; vertex < until; vertex += step) {
    points.push({ xUtm32: xy[2 * vertex]!, yUtm32: xy[2 * vertex + 1]! });
  }
  return points;
}
