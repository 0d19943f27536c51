/** Addresses as text (D48; upstream/registers-geo.md 3.3). */
import { DOOR_WORDS, FLOOR_WORDS } from './unit-words.ts';

export interface AccessParts {
  readonly roadName: string;
  readonly houseNumber: string;
  readonly supplementaryTown: string | null;
  readonly postcode: { readonly code: string; readonly name: string } | null;
}

export interface UnitParts extends AccessParts {
  readonly floor: string | null;
  readonly door: string | null;
}

/** `Ridehusgade 49, 2. th, Hundslev, 5000 Odense C`; nulls are left out. */
export function composeUnit(parts: UnitParts): string {
  const unit = composeFloorDoor(parts.floor, parts.door);
  if (unit === '') return composeAccess(parts);
  return withPlace(`${parts.roadName} ${parts.houseNumber}, ${unit}`, parts);
}

export function composeAccess(parts: AccessParts): string {
  return withPlace(`${parts.roadName} ${parts.houseNumber}`, parts);
}

/** `2. th`, `st.`, `th`; empty for the whole house. */
export function composeFloorDoor(floor: string | null, door: string | null): string {
  if (floor === null) return door ?? '';
  return door === null ? `${floor}.` : `${floor}. ${door}`;
}

/** `Hundslev, 5300 Kerteminde`; empty without town and postcode. */
export function composePlace({
  supplementaryTown,
  postcode,
}: Pick<AccessParts, 'supplementaryTown' | 'postcode'>): string {
  const post = postcode === null ? '' : `${postcode.code} ${postcode.name}`.trim();
  if (supplementaryTown === null || supplementaryTown === '') return post;
  return post === '' ? supplementaryTown : `${supplementaryTown}, ${post}`;
}

function withPlace(start: string, parts: AccessParts): string {
  const place = composePlace(parts);
  return place === '' ? start : `${start}, ${place}`;
}

const HOUSE_NUMBER = /^0*(\d+)\s*([a-zæøå]?)$/;

/** `0012 a` as `12A`; null for an invalid house number. */
export function normalHouseNumber(text: string): string | null {
  const [, number, letter = ''] = HOUSE_NUMBER.exec(text.trim().toLowerCase()) ?? [];
  return number === undefined ? null : number + letter.toUpperCase();
}

/** `1. sal`, `01`, `stuen`, `kld.`, `-1` in the register's form; null for an invalid floor. */
export function normalFloor(text: string): string | null {
  if (/\d[\s.]+\d/.test(text)) return null;
  const word = text
    .toLowerCase()
    .replace(/\b(sal|etage)\b/g, '')
    .replace(/^\s*minus\s*/, '-')
    .replace(/[\s.]/g, '');
  const known = FLOOR_WORDS.get(foldedWord(word));
  if (known !== undefined) return known;
  // `kl2` is a floor, `kl. 2` a floor and a door.
  const [, below] = /^[-−–÷]0*([1-9])$/.exec(word) ?? /^kl?d?([1-9])\.?$/i.exec(text.trim()) ?? [];
  if (below !== undefined) return floorBelow(Number(below));
  const [, number] = /^0*([1-9]\d?)$/.exec(word) ?? [];
  return number ?? (/^0+$/.test(word) ? 'st' : null);
}

/** Floors below ground; null if no register has so many. */
export function floorBelow(depth: number): string | null {
  if (depth === 1) return 'kl';
  return depth > 1 && depth < 10 ? `k${depth}` : null;
}

function foldedWord(word: string): string {
  const spelt = word.replace(/[æä]/g, 'ae').replace(/[øö]/g, 'oe');
  return spelt.replaceAll('å', 'aa').replaceAll('ß', 'ss');
}

/** `T.V.`, `til højre`, `0012` in the register's form; null for an invalid door. */
export function normalDoor(text: string): string | null {
  const word = text
    .toLowerCase()
    .replace(/^\s*(lejlighed|lejl|dør|doer|nr)\b\.?/, '')
    .replace(/[\s.]/g, '');
  const known = DOOR_WORDS.get(foldedWord(word));
  if (known !== undefined) return known;
  const bare = word.replace(/^0+(?=.)/, '');
  return /^[a-zæøåäöüé\d/-]{1,4}$/.test(bare) ? bare : null;
}

export const NUMBER_STEP = 0x1_0000;

export function houseNumberOrder(houseNumber: string): number {
  const [, number = '0', letter = ''] = /^(\d*)(.?)/.exec(houseNumber) ?? [];
  return Number(number) * NUMBER_STEP + (letter === '' ? 0 : letterOrder(letter));
}

/** æ, ø and å come last, unlike their code points. */
function letterOrder(letter: string): number {
  const danish = 'ÆØÅ'.indexOf(letter);
  return danish < 0 ? letter.charCodeAt(0) : 0xfff0 + danish;
}

/** Ascending: the whole house, ground floor, 1 to 99, cellars, anything else. */
export function floorOrder(floor: string | null): number {
  if (floor === null) return -1;
  if (floor === 'st') return 0;
  if (/^\d+$/.test(floor)) return Number(floor);
  if (floor === 'kl') return 1_000;
  return /^k\d$/.test(floor) ? 1_000 + Number(floor[1]) : 2_000;
}

/** Ascending: no door, tv, mf, th, numbers, anything else. */
export function doorOrder(door: string | null): number {
  if (door === null) return -1;
  const side = ['tv', 'mf', 'th'].indexOf(door);
  if (side >= 0) return side;
  return /^\d+$/.test(door) ? 10 + Number(door) : 100_000;
}
