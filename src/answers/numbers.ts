/** `-0` is never printed (D29). */
import type { Point, PointWgs84 } from '../geo/point.ts';

/** Half away from zero, so the sign does not change the size. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const size = Math.round(Math.abs(value) * scale) / scale;
  return size === 0 || value > 0 ? size : -size;
}

/** JSON text of `roundTo`, from whole numbers: five times as fast as a fraction. */
export function roundedText(value: number, decimals: 1 | 2): string {
  const scale = decimals === 1 ? 10 : 100;
  const scaled = Math.round(Math.abs(value) * scale);
  if (scaled > MOST_SCALED) return String(roundTo(value, decimals));
  const whole = Math.floor(scaled / scale);
  const rest = scaled - whole * scale;
  const text = rest === 0 ? String(whole) : `${whole}.${fractionText(rest, decimals)}`;
  return value < 0 && scaled > 0 ? `-${text}` : text;
}

/** Above, a number's text may use an exponent. */
const MOST_SCALED = 1e15;

function fractionText(rest: number, decimals: 1 | 2): string {
  if (decimals === 1) return String(rest);
  if (rest % 10 === 0) return String(rest / 10);
  return rest < 10 ? `0${rest}` : String(rest);
}

/** `afstand_m`: 0.1 m (interface: Limits). */
export function distanceText(value: number | null): string {
  return value === null ? 'null' : roundedText(value, 1);
}

/** 2 decimals (D46). */
export function epsg25832({ utm32 }: Point): [number, number] {
  return [roundTo(utm32.xUtm32, 2), roundTo(utm32.yUtm32, 2)];
}

/** A millimetre, for degrees computed from metres. */
export const DEGREE_DECIMALS = 8;

export function roundedDegrees({ lon, lat }: PointWgs84): PointWgs84 {
  return { lon: roundTo(lon, DEGREE_DECIMALS), lat: roundTo(lat, DEGREE_DECIMALS) };
}
