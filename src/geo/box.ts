/** EPSG:25832 metres. */
import type { PointUtm32 } from './point.ts';
import { ringsOfWkb } from './wkb.ts';

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function wkbBox(wkb: Uint8Array): Box {
  const rings = ringsOfWkb(wkb);
  return boxOf(rings.xy.view());
}

/** The origin where there are no vertices. */
export function boxOf(xy: Float64Array): Box {
  if (xy.length === 0) return { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < xy.length; i += 2) {
    minX = Math.min(minX, xy[i]!);
    maxX = Math.max(maxX, xy[i]!);
    minY = Math.min(minY, xy[i + 1]!);
    maxY = Math.max(maxY, xy[i + 1]!);
  }
  return { minX, minY, maxX, maxY };
}

/** More than the rounding error of a distance. */
const SLACK_M = 0.001;

export function boxOfPoint({ xUtm32: x, yUtm32: y }: PointUtm32, aroundM: number): Box {
  const m = aroundM + SLACK_M;
  return { minX: x - m, minY: y - m, maxX: x + m, maxY: y + m };
}

export function boxesMeet(a: Box, b: Box, slackM: number): boolean {
  return (
    a.minX <= b.maxX + slackM &&
    b.minX <= a.maxX + slackM &&
    a.minY <= b.maxY + slackM &&
    b.minY <= a.maxY + slackM
  );
}
