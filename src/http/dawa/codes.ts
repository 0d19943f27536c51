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

interface Keyed {
  readonly municipalityCode: string;
  readonly roadCode: string | null;
}

const left = (text: string, length: number): string => text.padStart(length, '_');

/** `04613436__68`; null: the road has no code. */
export function kvhOf({ municipalityCode, roadCode }: Keyed, houseNumber: string): string | null {
  return roadCode === null ? null : `${municipalityCode}${roadCode}${left(houseNumber, 4)}`;
}

/** `07514456__24_st___3`. */
export function kvhxOf(
  road: Keyed,
  houseNumber: string,
  { floor, door }: { readonly floor: string | null; readonly door: string | null },
): string | null {
  const kvh = kvhOf(road, houseNumber);
  return kvh === null ? null : `${kvh}${left(floor ?? '', 3)}${left(door ?? '', 4)}`;
}

export function ddknOf({
  xUtm32,
  yUtm32,
}: PointUtm32): Readonly<Record<'m100' | 'km1' | 'km10', string>> {
  const cell = (name: string, sizeM: number): string =>
    `${name}_${Math.floor(yUtm32 / sizeM)}_${Math.floor(xUtm32 / sizeM)}`;
  return { m100: cell('100m', 100), km1: cell('1km', 1_000), km10: cell('10km', 10_000) };
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
