/**
 * Constituencies of elections to parliament, as whole nomination districts (D186). Source:
 * Folketingsvalgloven; districts by DAGI (2021), numbers by DAWA's code list.
 */
export interface ElectoralRegion {
  readonly letter: string;
  readonly name: string;
}

export interface Constituency {
  readonly number: string;
  readonly name: string;
  readonly electoralRegion: ElectoralRegion;
  readonly districtCodes: readonly string[];
}

export const ELECTORAL_REGIONS = [
  { letter: 'A', name: 'Hovedstaden' },
  { letter: 'B', name: 'Sjælland-Syddanmark' },
  { letter: 'C', name: 'Midtjylland-Nordjylland' },
] as const satisfies readonly ElectoralRegion[];

const [A, B, C] = ELECTORAL_REGIONS;

/** By their last district: districts are numbered in the order of constituencies. */
const LISTED = [
  ['København', A, 12],
  ['Københavns Omegn', A, 20],
  ['Nordsjælland', A, 26],
  ['Bornholm', A, 28],
  ['Sjælland', B, 40],
  ['Fyn', B, 48],
  ['Sydjylland', B, 61],
  ['Østjylland', C, 72],
  ['Vestjylland', C, 83],
  ['Nordjylland', C, 92],
] as const;

export const CONSTITUENCIES: readonly Constituency[] = LISTED.map(
  ([name, electoralRegion, last], i) => {
    const before = LISTED[i - 1]?.[2] ?? 0;
    const districtCodes = Array.from({ length: last - before }, (_, j) =>
      String(before + j + 1).padStart(4, '0'),
    );
    return { number: String(i + 1), name, electoralRegion, districtCodes };
  },
);

const byDistrict = new Map(
  CONSTITUENCIES.flatMap((each) => each.districtCodes.map((code) => [code, each] as const)),
);

export function constituencyOf(districtCode: string): Constituency | null {
  return byDistrict.get(districtCode) ?? null;
}
