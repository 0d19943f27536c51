import type { Bounds } from '../geo/bounds.ts';
import type { PointUtm32 } from '../geo/point.ts';
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

const SCANNED = [0.5, 0.25, 0.75];

/** A point inside an area: the middle of its widest stretch on a few lines across it. */
export function innerPointOf(snapshot: LayerSnapshot, feature: number): PointUtm32 | null {
  const [, south, , north] = boxOfFeature(snapshot, feature);
  let found: PointUtm32 | null = null;
  let widest = 0;
  for (const share of SCANNED) {
    const yUtm32 = south + (north - south) * share;
    const xs = crossingsOf(snapshot, feature, yUtm32).toSorted((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const [from, to] = [xs[i]!, xs[i + 1]!];
      if (to - from <= widest) continue;
      widest = to - from;
      found = { xUtm32: (from + to) / 2, yUtm32 };
    }
  }
  return found;
}

function crossingsOf(
  { xy, ringStarts, featureRings }: LayerSnapshot,
  feature: number,
  y: number,
): readonly number[] {
  const xs: number[] = [];
  for (let ring = featureRings[feature]!; ring < featureRings[feature + 1]!; ring++) {
    for (let n = ringStarts[ring]!; n + 1 < ringStarts[ring + 1]!; n++) {
      const [ax, ay, bx, by] = [xy[2 * n]!, xy[2 * n + 1]!, xy[2 * n + 2]!, xy[2 * n + 3]!];
      if (ay > y !== by > y) xs.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
  }
  return xs;
}
