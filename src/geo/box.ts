/** EPSG:25832 metres. */
import { boundsOfXy } from './bounds.ts';
import type { PointUtm32 } from './point.ts';
import { ringsOfWkb } from './wkb.ts';

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Contains every feature and address, Bornholm included. */
export const DENMARK_UTM32: Box = {
  minX: 400_000,
  minY: 6_000_000,
  maxX: 900_000,
  maxY: 6_450_000,
};

export function wkbBox(wkb: Uint8Array): Box {
  const rings = ringsOfWkb(wkb);
  return boxOf(rings.xy.view());
}

/** The origin where there are no vertices. */
export function boxOf(xy: Float64Array): Box {
  const [minX, minY, maxX, maxY] = boundsOfXy(xy);
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
