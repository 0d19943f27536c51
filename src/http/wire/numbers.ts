/** How measured numbers are written. `-0` is never printed (D29). */
import type { Point } from '../../geo/point.ts';

/** Half away from zero, so a sign never decides the size; never -0. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const size = Math.round(Math.abs(value) * scale) / scale;
  return size === 0 || value > 0 ? size : -size;
}

/** `afstand_m`: 0.1 m (interface: Limits). */
export function distanceM(value: number | null): number | null {
  return value === null ? null : roundTo(value, 1);
}

/** `epsg25832` of a point: [x, y] in metres, 2 decimals (D46). */
export function epsg25832({ utm32 }: Point): [number, number] {
  return [roundTo(utm32.xUtm32, 2), roundTo(utm32.yUtm32, 2)];
}
