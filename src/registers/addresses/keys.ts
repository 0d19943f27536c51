/** KVH and KVHX keys of addresses, and cells of the Danish grid. */
import type { PointUtm32 } from '../../geo/point.ts';

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

export interface KeyParts {
  readonly municipalityCodes: readonly string[];
  readonly roadCodes: readonly string[];
  readonly houseNumbers: readonly string[];
  /** Only a unit's key has these. */
  readonly floors?: readonly string[];
  readonly doors?: readonly string[];
}

/** `07514456__24_st___3`, or its first twelve; null: no key. */
export function partsOfKey(text: string): KeyParts | null {
  const [, municipality, road, house = '', unit] =
    /^(\d{4})(\d{4})([^*|]{4})([^*|]{7})?$/.exec(text) ?? [];
  if (municipality === undefined || road === undefined) return null;
  const part = (from: number, to: number): string =>
    unit?.slice(from, to).replaceAll('_', '').toLowerCase() ?? '';
  return {
    ...{ municipalityCodes: [municipality], roadCodes: [road] },
    houseNumbers: [house.replaceAll('_', '').toUpperCase()],
    ...(unit !== undefined && { floors: [part(0, 3)], doors: [part(3, 7)] }),
  };
}
