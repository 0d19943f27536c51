/** Upright boxes, EPSG:25832 metres: the first test before anything is measured. */
import type { PointUtm32 } from './point.ts';
import { readWkb, RingSink } from './wkb.ts';

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

export function wkbBox(wkb: Uint8Array): Box {
  const rings = new RingSink();
  readWkb(wkb, rings);
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  const xy = rings.xy.view();
  for (let i = 0; i + 1 < xy.length; i += 2) {
    box.minX = Math.min(box.minX, xy[i]!);
    box.maxX = Math.max(box.maxX, xy[i]!);
    box.minY = Math.min(box.minY, xy[i + 1]!);
    box.maxY = Math.max(box.maxY, xy[i + 1]!);
  }
  return box;
}

/** More than the rounding error of a distance, metres. */
const SLACK_M = 0.001;

export function boxOfPoint({ xUtm32: x, yUtm32: y }: PointUtm32, aroundM: number): Box {
  const m = aroundM + SLACK_M;
  return { minX: x - m, minY: y - m, maxX: x + m, maxY: y + m };
}

/** Whether two boxes touch, or are within `slackM` along both axes. */
export function boxesMeet(a: Box, b: Box, slackM: number): boolean {
  return (
    a.minX <= b.maxX + slackM &&
    b.minX <= a.maxX + slackM &&
    a.minY <= b.maxY + slackM &&
    b.minY <= a.maxY + slackM
  );
}
