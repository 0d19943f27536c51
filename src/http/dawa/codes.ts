/** Codes and keys as DAWA composed them. */
import { toWgs84 } from '../../geo/project.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { roundTo } from '../../answers/numbers.ts';

/** DAWA's status by DAR's. */
const STATUS: Readonly<Record<number, number>> = { 2: 3, 3: 1, 4: 2, 5: 4 };

export function statusOf(darStatus: number): number {
  return STATUS[darStatus] ?? darStatus;
}

export function darStatusOf(status: string): number | null {
  const found = Object.entries(STATUS).find(([, dawa]) => String(dawa) === status);
  return found === undefined ? null : Number(found[0]);
}

const DEGREE_DECIMALS = 8;

export type Pair = readonly [number, number];

export function pairOf(position: PointUtm32, srid: 4326 | 25832): Pair {
  if (srid === 25832) return [position.xUtm32, position.yUtm32];
  const { lon, lat } = toWgs84(position);
  return [roundTo(lon, DEGREE_DECIMALS), roundTo(lat, DEGREE_DECIMALS)];
}

export function unpadded(code: string): string {
  return code.replace(/^0+(?=.)/, '');
}
