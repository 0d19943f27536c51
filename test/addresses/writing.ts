/** What the kinds of spellings share: what a kind is, and an address put together with a piece changed. */
import type { Plain, Truth } from './truth.ts';

export type Random = () => number;

/** What of the place is still told: all of it, its town alone, or nothing. */
export type PlaceTold = 'postcode' | 'town' | 'nothing';

export interface Parts {
  readonly road: string;
  readonly houseNumber: string | null;
  readonly floor: string | null;
  readonly door: string | null;
  readonly postcode: string | null;
  readonly town: string | null;
}

/** Of a job's columns: the address in one, postcode and town beside it. */
export interface Columns {
  readonly text: string;
  readonly postcode: string | null;
  readonly town: string | null;
}

export interface Spelling {
  readonly written: string | Parts | Columns;
  /** Default: postcode. */
  readonly told?: PlaceTold;
}

/** What is asked for, and of what: `house` is a house of several units asked without a type. */
export type Asks = 'unit' | 'access' | 'house';

export interface Kind {
  readonly name: string;
  readonly family: Family;
  readonly asks: readonly Asks[];
  /** The road is not in that place: A and B are wrong whatever comes, nothing is right. */
  readonly isAbsent?: boolean;
  /** Several houses are meant: the first is right, and A and B are wrong. */
  readonly isSeveral?: boolean;
  readonly spell: (address: Plain, random: Random, truth: Truth) => Spelling | string | null;
}

export const FAMILIES = [
  ...['as registered', 'typos', 'place', 'country', 'floor and door', 'number', 'words'],
  ...['abbreviations', 'parts', 'house', 'letters', 'roads', 'below ground', 'point zero'],
  ...['towns in Sal', 'numbered roads', 'kings', 'glued units', 'unit words', 'cut words'],
  ...['read by a machine', 'written numbers', 'order', 'English', 'labels'],
] as const;
export type Family = (typeof FAMILIES)[number];

export const BOTH: readonly Asks[] = ['unit', 'access'];
export const UNIT: readonly Asks[] = ['unit'];
export const ACCESS: readonly Asks[] = ['access'];

export const below = (n: number, random: Random): number => Math.floor(n * random());
export const pick = <T>(list: readonly T[], random: Random): T => list[below(list.length, random)]!;

export const place = ({ code, post }: Plain): string => `${code} ${post}`;

/** `2. tv`; empty for a house. */
export function unitText({ floor, door }: Plain): string {
  if (floor === null) return door ?? '';
  return door === null ? `${floor}.` : `${floor}. ${door}`;
}

/** Joined as the register does, what is empty left out. */
export const list = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(', ');

/** As registered; `change` replaces any of its pieces. */
export function written(
  a: Plain,
  change: { start?: string; unit?: string; town?: string | null; place?: string } = {},
): string {
  return list(
    change.start ?? `${a.road} ${a.number}`,
    change.unit ?? unitText(a),
    change.town === undefined ? a.town : change.town,
    change.place ?? place(a),
  );
}

const LETTERS = 'abcdefghijklmnoprstuvyæøå';

/** One letter replaced, dropped, doubled, put in, or turned with the next. */
export function misspelt(text: string, random: Random): string {
  for (;;) {
    const at = below(text.length, random);
    if (!/\p{L}/u.test(text[at]!)) continue;
    const other = LETTERS[below(LETTERS.length, random)]!;
    const made = pick(
      [
        text.slice(0, at) + other + text.slice(at + 1),
        text.slice(0, at) + text.slice(at + 1),
        text.slice(0, at) + text[at]! + text.slice(at),
        text.slice(0, at) + other + text.slice(at),
        text.slice(0, at) + (text[at + 1] ?? '') + text[at]! + text.slice(at + 2),
      ],
      random,
    );
    if (made.toLowerCase() !== text.toLowerCase() && made.trim().length > 3) return made.trim();
  }
}

export const kind = (
  family: Family,
  name: string,
  asks: readonly Asks[],
  spell: Kind['spell'],
): Kind => ({
  family,
  name,
  asks,
  spell,
});

export const SIDES: Readonly<Record<string, string>> = {
  tv: 'venstre',
  th: 'højre',
  mf: 'midtfor',
};
export const hasSide = ({ floor, door }: Plain): boolean =>
  floor !== null && door !== null && door in SIDES;
export const hasNumberedFloor = ({ floor }: Plain): boolean =>
  floor !== null && /^\d+$/.test(floor);
export const hasNumberedDoor = ({ door }: Plain): boolean => door !== null && /^\d+$/.test(door);

/** Numbers of its road and postcode. */
export const numbersOf = (a: Plain, truth: Truth): ReadonlySet<string> =>
  truth.numbers.get(`${a.code}|${a.road.toLowerCase()}`)!;

export const plainNumber = ({ number }: Plain): number | null =>
  /^\d+$/.test(number) ? Number(number) : null;

const LEFT: Readonly<Record<string, string>> = { tv: 'left', th: 'right', mf: 'middle' };
const NTH = ['', 'st', 'nd', 'rd'];

/** The floor for `{f}`, the door for `{d}`, its side in Danish for `{s}` and in English for `{l}`. */
export function filled(template: string, { floor, door }: Plain): string {
  const f = floor ?? '';
  const d = door ?? '';
  return template
    .replaceAll('{nth}', f + (NTH[Number(f)] ?? 'th'))
    .replaceAll('{f}', f)
    .replaceAll('{d}', d)
    .replaceAll('{s}', SIDES[d] ?? d)
    .replaceAll('{l}', LEFT[d] ?? d);
}
