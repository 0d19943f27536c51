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

export function parts(a: Plain, change: Partial<Parts> = {}): Spelling & { written: Parts } {
  return {
    written: {
      ...{ road: a.road, houseNumber: a.number, floor: a.floor, door: a.door },
      ...{ postcode: a.code, town: a.post, ...change },
    },
  };
}

const LETTERS = 'abcdefghijklmnoprstuvyæøå';

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
): Kind => ({ family, name, asks, spell });

export const absent = (own: Kind): Kind => ({ ...own, isAbsent: true });
export const several = (own: Kind): Kind => ({ ...own, isSeveral: true });

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
export const isSided = (a: Plain): boolean => hasSide(a) && hasNumberedFloor(a);
export const isNumbered = (a: Plain): boolean => hasNumberedDoor(a) && hasNumberedFloor(a);
export const endsInNumber = ({ road }: Plain): boolean => /\d$/.test(road);

export const numbersOf = (a: Plain, truth: Truth): ReadonlySet<string> =>
  truth.numbers.get(`${a.code}|${a.road.toLowerCase()}`)!;

export const plainNumber = ({ number }: Plain): number | null =>
  /^\d+$/.test(number) ? Number(number) : null;

const LEFT: Readonly<Record<string, string>> = { tv: 'left', th: 'right', mf: 'middle' };
const NTH = ['', 'st', 'nd', 'rd'];
const ENGLISH_FLOORS = ['ground', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
const CELLARS = ['kl', 'k2', 'k3'];
const FLOOR_WORDS: Readonly<Record<string, string>> = {
  ...{ st: 'stuen', 1: 'første', 2: 'anden', 3: 'tredje', 4: 'fjerde' },
};

/** What stands for the pieces of an address in a way to write it. */
const PIECES: Readonly<Record<string, (a: Plain) => string>> = {
  // The address as registered; road, number, floor and door, supplementary town, postcode, its town.
  w: (a) => written(a),
  r: ({ road }) => road,
  n: ({ number }) => number,
  u: unitText,
  t: ({ town }) => town ?? '',
  c: ({ code }) => code,
  p: ({ post }) => post,
  tp: (a) => list(a.town, place(a)),
  br: () => '\n',
  // The number in digits and letter, small letter, with noughts, and the next two of its side.
  a: ({ number }) => number.replace(/\D$/, ''),
  b: ({ number }) => number.replace(/^\d+/, ''),
  bs: ({ number }) => number.replace(/^\d+/, '').toLowerCase(),
  n4: ({ number }) => number.padStart(4, '0'),
  n5: ({ number }) => number.padStart(5, '0'),
  m: (a) => String((plainNumber(a) ?? 0) + 2),
  o: (a) => String((plainNumber(a) ?? 0) + 4),
  // The floor: in English, in a word, and below ground.
  f: ({ floor }) => floor ?? '',
  nth: ({ floor }) => `${floor}${NTH[Number(floor)] ?? 'th'}`,
  ord: ({ floor }) => FLOOR_WORDS[floor ?? ''] ?? '',
  en: ({ floor }) => ENGLISH_FLOORS[floor === 'st' ? 0 : Number(floor)] ?? '',
  k: ({ floor }) => String(CELLARS.indexOf(floor ?? '') + 1),
  // The door: its letters, with noughts, and its side in Danish and in English.
  d: ({ door }) => door ?? '',
  x: ({ door }) => door?.[0] ?? '',
  y: ({ door }) => door?.[1] ?? '',
  d4: ({ door }) => door?.padStart(4, '0') ?? '',
  d0: ({ door }) => (door ?? '').replace(/^(?=\d)/, '0'),
  s: ({ door }) => SIDES[door ?? ''] ?? door ?? '',
  to: ({ door }) => (door === 'mf' ? 'midt for' : `til ${SIDES[door ?? ''] ?? ''}`),
  to2: ({ door }) => (door === 'mf' ? 'midt  for' : `til  ${SIDES[door ?? ''] ?? ''}`),
  l: ({ door }) => LEFT[door ?? ''] ?? door ?? '',
};

/** A way to write it with its pieces put in; commas of what is empty left out. */
export const filled = (way: string, a: Plain): string =>
  way
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) => PIECES[name]?.(a) ?? whole)
    .replaceAll(', , ', ', ')
    .replace(/^, |, $/g, '')
    .trim();

/** What a way is written for; the rest is as registered. */
const FORMS: Readonly<Record<string, (a: Plain, made: string) => string>> = {
  unit: (a, unit) => written(a, { unit }),
  start: (a, start) => written(a, { start }),
  behind: (a, end) => written(a, { start: `${a.road} ${end}`, unit: '' }),
  place: (a, made) => written(a, { place: made }),
  text: (_, text) => text,
};

type Fits = (a: Plain, truth: Truth) => boolean;

/** No house of its road is written as one of several with the sign, and none of its doors has a next number. */
const isRowStart: Fits = (a, truth) =>
  plainNumber(a) !== null &&
  !endsInNumber(a) &&
  !numbersOf(a, truth).has(`${a.number}F`) &&
  !(truth.unitsOf.get(a.houseId) ?? []).some(({ door }) => Number(door) > plainNumber(a)!);
const hasPlainRoad: Fits = ({ road }) => !/[\d&=]/.test(road);
/** Of `3, 5-7` the last may be a floor and a door. */
const isHigh: Fits = (a) => plainNumber(a)! > 8;

const FITS: Readonly<Record<string, Fits>> = {
  any: () => true,
  side: hasSide,
  sided: isSided,
  'ground side': (a) => hasSide(a) && a.floor === 'st',
  'spoken side': (a) => hasSide(a) && (a.floor ?? '') in FLOOR_WORDS,
  'first side': (a) => hasSide(a) && a.floor === '1',
  'cellar side': (a) => hasSide(a) && a.floor === 'kl',
  middle: ({ door }) => door === 'mf',
  'numbered door': hasNumberedDoor,
  numbered: isNumbered,
  floor: ({ floor }) => floor !== null,
  'numbered floor': hasNumberedFloor,
  ground: ({ floor }) => floor === 'st',
  cellar: ({ floor }) => floor === 'kl',
  'any cellar': ({ floor }) => CELLARS.includes(floor ?? ''),
  'second cellar': ({ floor }) => floor === 'k2' || floor === 'k3',
  'ground alone': ({ floor, door }) => floor === 'st' && door === null,
  'cellar alone': ({ floor, door }) => floor === 'kl' && door === null,
  /** A floor above ground, in a house that has none below. */
  'no cellar': (a, truth) =>
    hasNumberedFloor(a) &&
    !(truth.unitsOf.get(a.houseId) ?? []).some(({ floor }) => /^k[l2-6]$/.test(floor ?? '')),
  'plain number': (a) => plainNumber(a) !== null,
  'letter A': ({ number }) => /^\d+A$/.test(number),
  'letter A to D': ({ number }) => /^\d+[A-D]$/.test(number),
  lettered: ({ number }) => /^\d+[A-Z]$/.test(number),
  'lettered side': (a) => hasSide(a) && /[A-Z]$/.test(a.number),
  /** Number and floor are told apart where they are glued. */
  'split side': (a) => hasSide(a) && (/[A-Z]$/.test(a.number) || !/^\d/.test(a.floor ?? '')),
  'row of houses': isRowStart,
  'row from 9': (a, truth) => isRowStart(a, truth) && isHigh(a, truth),
  'plain road, row from 9': (a, t) => hasPlainRoad(a, t) && isRowStart(a, t) && isHigh(a, t),
  'road ends in number': endsInNumber,
  'road ends in letter': (a) => !endsInNumber(a),
  'road begins with letter': ({ road }) => !/^\d/.test(road),
  'letters of road': ({ road }) => !/\d/.test(road),
  'letters of road, house': (a) => !/\d/.test(a.road) && unitText(a) === '',
  'letters of road, floor': ({ road, floor }) => !/\d/.test(road) && floor !== null,
  'sided, road ends in letter': (a) => isSided(a) && !endsInNumber(a),
  'ground side, road ends in letter': (a) => hasSide(a) && a.floor === 'st' && !endsInNumber(a),
  'plain road': hasPlainRoad,
  'plain road, flat': (a, t) => hasPlainRoad(a, t) && a.floor !== null && a.door !== null,
  'plain road, sided': (a, t) => hasPlainRoad(a, t) && isSided(a),
  'town in Sal, flat': ({ town, post, floor, door }) =>
    /^sal/i.test(town ?? post) && floor !== null && door !== null,
  'road in Sal': ({ road }) => /^sal/i.test(road),
  Christians: ({ road }) => /\bChristians /.test(road),
};
const ASKS: Readonly<Record<string, readonly Asks[]>> = { unit: UNIT, access: ACCESS, both: BOTH };

/**
 * Kinds of a table, a line each: `family | what is written | whom it is asked of | which fit | ways`. Each question
 * draws one of the ways (` ¦ `); those with ` ¦¦ ` between them are kinds by themselves.
 */
export function kindsIn(table: string): readonly Kind[] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [family, form, asks, who, ...rest] = line.trim().split(' | ');
      const write = FORMS[form ?? ''];
      const fits = FITS[who ?? ''];
      const asked = ASKS[asks ?? ''];
      if (write === undefined || fits === undefined || asked === undefined) throw new Error(line);
      return rest
        .join(' | ')
        .split(' ¦¦ ')
        .map((ways) =>
          kind(family as Family, ways.slice(0, 60), asked, (a, random, truth) =>
            fits(a, truth) && (form !== 'unit' || a.floor !== null)
              ? write(a, filled(pick(ways.split(' ¦ '), random), a))
              : null,
          ),
        );
    });
}

/** Floors or sides written in one of several words, divided by `|`; `start` and `end` as ways. */
export function worded(
  name: string,
  words: Readonly<Record<string, string>>,
  how: { of: 'floor' | 'door'; fits: (a: Plain) => boolean; start?: string; end?: string },
): Kind {
  return kind('unit words', name, UNIT, (a, random) => {
    const forms = words[a[how.of] ?? ''];
    if (forms === undefined || a.floor === null || !how.fits(a)) return null;
    const word = pick(forms.split('|'), random);
    const end = pick((how.end ?? '').split(' ¦ '), random);
    return written(a, {
      unit: filled(`${how.start ?? ''}{word}${end}`, a).replace('{word}', word),
    });
  });
}
