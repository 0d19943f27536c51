/**
 * Constituencies (storkredse) and electoral regions (valglandsdele) as whole nomination districts. Source: the list
 * of the Act on Parliamentary Elections (folketingsvalgloven, bilag), in force since 2007.
 */
export interface ElectoralRegion {
  readonly letter: string;
  readonly name: string;
}

export interface Constituency {
  readonly number: string;
  readonly name: string;
  readonly regionCode: string;
  readonly electoralRegion: ElectoralRegion;
  /** Numbers of its first and last nomination district. */
  readonly districts: readonly [first: number, last: number];
}

const A = { letter: 'A', name: 'Hovedstaden' };
const B = { letter: 'B', name: 'Sjælland-Syddanmark' };
const C = { letter: 'C', name: 'Midtjylland-Nordjylland' };
export const ELECTORAL_REGIONS: readonly ElectoralRegion[] = [A, B, C];

export const CONSTITUENCIES: readonly Constituency[] = (
  [
    ['København', '1084', A, 1, 12],
    ['Københavns Omegn', '1084', A, 13, 20],
    ['Nordsjælland', '1084', A, 21, 26],
    ['Bornholm', '1084', A, 27, 28],
    ['Sjælland', '1085', B, 29, 40],
    ['Fyn', '1083', B, 41, 48],
    ['Sydjylland', '1083', B, 49, 61],
    ['Østjylland', '1082', C, 62, 72],
    ['Vestjylland', '1082', C, 73, 83],
    ['Nordjylland', '1081', C, 84, 92],
  ] as const
).map(([name, regionCode, electoralRegion, first, last], i) => ({
  ...{ number: String(i + 1), name, regionCode, electoralRegion, districts: [first, last] },
}));

/** `districtCode`: of a nomination district; null: none of the list. */
export function constituencyOf(districtCode: string): Constituency | null {
  const number = Number(districtCode);
  return (
    CONSTITUENCIES.find(({ districts: [first, last] }) => first <= number && number <= last) ?? null
  );
}

/** Codes of its nomination districts. */
export function districtsOf({ districts: [first, last] }: Constituency): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String(first + i).padStart(4, '0'));
}
