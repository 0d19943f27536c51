import type { Bounds } from '../geo/bounds.ts';
import type { LayerSnapshot } from './layer.ts';

/** An empty geometry gets the layer's first vertex as its box, which widens no query. */
export function boxOfFeature(
  { xy, ringStarts, featureRings }: LayerSnapshot,
  feature: number,
): Bounds {
  const from = ringStarts[featureRings[feature]!]!;
  const to = ringStarts[featureRings[feature + 1]!]!;
  return from === to ? boxOf(xy.subarray(0, 2)) : boxOf(xy.subarray(2 * from, 2 * to));
}

export function boxOf(xy: Float64Array): Bounds {
  if (xy.length === 0) return [0, 0, 0, 0];
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    box[0] = Math.min(box[0], xy[i]!);
    box[1] = Math.min(box[1], xy[i + 1]!);
    box[2] = Math.max(box[2], xy[i]!);
    box[3] = Math.max(box[3], xy[i + 1]!);
  }
  return box;
}
