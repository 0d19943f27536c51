import { boundsOfXy } from '../geo/bounds.ts';
import type { Bounds } from '../geo/bounds.ts';
import type { LayerSnapshot } from './layer.ts';

/** Empty geometry gets the layer's first vertex, which widens no query. */
export function boxOfFeature(
  { xy, ringStarts, featureRings }: LayerSnapshot,
  feature: number,
): Bounds {
  const from = ringStarts[featureRings[feature]!]!;
  const to = ringStarts[featureRings[feature + 1]!]!;
  return from === to ? boundsOfXy(xy.subarray(0, 2)) : boundsOfXy(xy.subarray(2 * from, 2 * to));
}
