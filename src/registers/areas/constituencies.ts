/**
 * The constituencies of elections to parliament, as whole nomination districts (D186). Source: Folketingsvalgloven,
 * the list of its constituencies; numbers and regions as in DAWA's code list.
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
  readonly districtCodes: readonly string[];
}

export const ELECTORAL_REGIONS = [
  { letter: 'A', name: 'Hovedstaden' },
  { letter: 'B', name: 'Sjælland-Syddanmark' },
  { letter: 'C', name: 'Midtjylland-Nordjylland' },
] as const satisfies readonly ElectoralRegion[];

const [A, B, C] = ELECTORAL_REGIONS;

/** By its last district: the districts are numbered in the order of the constituencies. */
const LISTED = [
  ['København', '1084', A, 12],
  ['Københavns Omegn', '1084', A, 20],
  ['Nordsjælland', '1084', A, 26],
  ['Bornholm', '1084', A, 28],
  ['Sjælland', '1085', B, 40],
  ['Fyn', '1083', B, 48],
  ['Sydjylland', '1083', B, 61],
  ['Østjylland', '1082', C, 72],
  ['Vestjylland', '1082', C, 83],
  ['Nordjylland', '1081', C, 92],
] as const;

export const CONSTITUENCIES: readonly Constituency[] = LISTED.map(
  ([name, regionCode, electoralRegion, last], i) => {
    const before = LISTED[i - 1]?.[3] ?? 0;
    const districtCodes = Array.from({ length: last - before }, (_, j) =>
      String(before + j + 1).padStart(4, '0'),
    );
    return { number: String(i + 1), name, regionCode, electoralRegion, districtCodes };
  },
);

const byDistrict = new Map(
  CONSTITUENCIES.flatMap((each) => each.districtCodes.map((code) => [code, each] as const)),
);

/** null: no nomination district of the list. */
export function constituencyOf(districtCode: string): Constituency | null {
  return byDistrict.get(districtCode) ?? null;
}
