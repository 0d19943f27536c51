import type { Company, CompanyAddress, CompanyCode } from './company.ts';

export interface FoldedCompany {
  readonly number: number;
  /** JSON array of `Cells`; null: over the size limit. */
  readonly record: string | null;
}

/** null: the register has nothing. Newest or lowest place first. */
type Cells = readonly [
  status: string | null,
  started: string | null,
  ended: string | null,
  names: readonly Placed[] | null,
  forms: readonly CodeCells[] | null,
  branches: readonly (readonly [place: number, ...CodeCells])[] | null,
  addresses: readonly AddressCells[] | null,
  protection: readonly (string | null)[] | null,
];

/** Place 0 is the main one. */
type Placed = readonly [place: number, value: string | null];

type CodeCells = readonly [code: string | null, text: string | null];

type AddressCells = readonly [
  purpose: string | null,
  road: string | null,
  houseFrom: string | null,
  letterFrom: string | null,
  houseTo: string | null,
  letterTo: string | null,
  floor: string | null,
  door: string | null,
  town: string | null,
  postcode: string | null,
  postcodeName: string | null,
  municipality: string | null,
  freeText: string | null,
  addressId: string | null,
];

/** null: over the size limit. */
export function companyOf({ number, record }: FoldedCompany): Company | null {
  if (record === null) return null;
  const [status, started, ended, names, forms, branches, addresses, protection] = JSON.parse(
    record,
  ) as Cells;
  const [name = null, ...otherNames] = onePerPlace(
    (names ?? []).map(([place, value]) => [place, filled(value)]),
  ).map(([, value]) => value);
  const placed = onePerPlace((branches ?? []).map(([place, ...cells]) => [place, codeOf(cells)]));
  return {
    ...{ number, name, otherNames, status, started, ended },
    form: (forms ?? []).map(codeOf).find((form) => form !== null) ?? null,
    address: addressOf(addresses ?? []),
    // Another branch never replaces the main one.
    mainBranch: placed.find(([place]) => place === 0)?.[1] ?? null,
    otherBranches: placed.flatMap(([place, branch]) => (place === 0 ? [] : [branch])),
    isProtected: protection === null ? null : protectionOf(protection),
  };
}

function onePerPlace<T>(
  placed: readonly (readonly [number, T | null])[],
): (readonly [number, T])[] {
  const values = new Map<number, T>();
  for (const [place, value] of placed) {
    if (value !== null && !values.has(place)) values.set(place, value);
  }
  return [...values].sort(([a], [b]) => a - b);
}

function codeOf([code, text]: CodeCells): CompanyCode | null {
  const own = filled(code);
  return own === null ? null : { code: own, text: filled(text) };
}

const YES = ['true', 't', '1', 'ja', 'j', 'sand'];
const NO = ['false', 'f', '0', 'nej', 'n', 'falsk'];

/**
 * null: no row, or none that states it: whether the register has rows for all companies or only
 * protected ones is unknown. Contradicting rows mean protected.
 */
export function protectionOf(values: readonly (string | null)[]): boolean | null {
  const words = values.map((value) => (value ?? '').trim().toLowerCase());
  if (words.some((word) => YES.includes(word))) return true;
  return words.length > 0 && words.every((word) => NO.includes(word)) ? false : null;
}

/** Its location, else its postal address. */
const PURPOSES = ['beliggenhed', 'post'];

function addressOf(cells: readonly AddressCells[]): CompanyAddress | null {
  const ranked = [...cells].sort((a, b) => rankOf(a[0]) - rankOf(b[0]));
  const [best] = ranked;
  if (best === undefined) return null;
  const [, road, from, letterFrom, to, letterTo, floor, door, town, postcode, postcodeName] = best;
  const [municipality, freeText, addressId] = best.slice(11);
  return {
    roadName: filled(road),
    houseNumber: houseNumberOf([from, letterFrom], [to, letterTo]),
    floor: filled(floor),
    door: filled(door),
    supplementaryTown: filled(town),
    postcode: fourDigits(postcode),
    postcodeName: filled(postcodeName),
    municipalityCode: fourDigits(municipality ?? null),
    addressId: addressId ?? null,
    freeText: filled(freeText),
  };
}

function rankOf(purpose: string | null): number {
  const word = (purpose ?? '').toLowerCase();
  const rank = PURPOSES.findIndex((each) => word.startsWith(each));
  return rank < 0 ? PURPOSES.length : rank;
}

type NumberCells = readonly [number: string | null, letter: string | null];

/** `12A`, `12A-14`; null: none. */
export function houseNumberOf(from: NumberCells, to: NumberCells): string | null {
  const [first, second] = [from, to].map(([number, letter]) => {
    const digits = filled(number)?.replace(/^0+(?=.)/, '') ?? null;
    return digits === null ? null : `${digits}${filled(letter)?.toUpperCase() ?? ''}`;
  }) as [string | null, string | null];
  if (first === null || second === null || second === first) return first ?? second;
  return `${first}-${second}`;
}

export function filled(text: string | null | undefined): string | null {
  return text?.trim() || null;
}

/** Four digits (D40); other texts stay. */
export function fourDigits(text: string | null): string | null {
  const code = filled(text);
  return code !== null && /^\d{1,4}$/.test(code) ? code.padStart(4, '0') : code;
}
