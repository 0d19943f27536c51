/**
 * Kinds drawn anew after those of `kinds-beyond.ts` were read: most are a list of ways to write one thing,
 * of which each question draws one. `{f}` is the floor, `{d}` the door, `{s}` its side in Danish, `{l}` in English.
 */
import type { Plain, Truth } from './truth.ts';
import {
  ACCESS,
  below,
  BOTH,
  filled,
  hasNumberedDoor,
  hasNumberedFloor,
  hasSide,
  kind,
  list,
  misspelt,
  numbersOf,
  pick,
  place,
  plainNumber,
  UNIT,
  unitText,
  written,
} from './writing.ts';
import type { Family, Kind, Random } from './writing.ts';

type Fits = (a: Plain) => boolean;
const isSided: Fits = (a) => hasSide(a) && hasNumberedFloor(a);
const isNumbered: Fits = (a) => hasNumberedDoor(a) && hasNumberedFloor(a);
const isGround: Fits = (a) => hasSide(a) && a.floor === 'st';
const isCellar: Fits = (a) => a.floor === 'kl';
/** A unit in one of several ways, divided by `|`. */
const units = (family: Family, name: string, fits: Fits, ways: string): Kind =>
  kind(family, name, UNIT, (a, random) =>
    a.floor !== null && fits(a)
      ? written(a, { unit: filled(pick(ways.split('|'), random), a).trim() })
      : null,
  );

/** What follows the road, number included (`{n}`). */
const glued = (name: string, fits: Fits, ways: string): Kind =>
  kind('glued units', name, UNIT, (a, random) => {
    if (!fits(a) || /\d$/.test(a.road)) return null;
    const made = filled(pick(ways.split(' | '), random).replaceAll('{n}', a.number), a);
    return list(`${a.road} ${made}`, a.town, place(a));
  });

const SIDE_WORDS: Readonly<Record<string, string>> = {
  tv: 'venstr|vensre|vesntre|t.v.|t. v.|t/v|t-v|vestre|til v.|lejl. til venstre|på venstre side|venstre dør|dør: tv|vens',
  th: 'høre|hjøre|højer|hojre|h0jre|t.h.|t. h.|t/h|t-h|til h.|til hø.|dør til højre|høj.|til høyre|höjre|hoire|hajre|t h',
  mf: 'midtf.|midtfro|mitfor|mitten|midte|midt-for|m. f.|m/f|m-f|mid|i midt|lejl. i midten|midterste|midttfor',
};
const FLOOR_WORDS: Readonly<Record<string, string>> = {
  st: 'stuen,|stuetage|stue.|i stuen,|stuern|stuene|stun|0.|0|stue-etage|stue etage|S.T.|stueetg.|st. sal|stuuen',
  kl: 'kældren|kjælder|kjælderen|KLD.|kæld.|kælder etage|kælder-etagen|i kælder|kølder|keldren|underetage|kælderlejl',
  1: '1ste sal|1. sla|1. sall|1. asl|1.etg.|1 etage|etage 1|etage: 1|sal 1|1.s.|på 1. sal|paa 1. sal|på første sal|føste sal|1:sal|førstesal|eta. 1|et. 1|etg. 1',
  2: '2den sal|2nden sal|2. sla|på 2. sal|på anden sal|2. et.|2 etg|ii.|andensal|etg. 2|2. sals|anden etage',
  3: '3die sal|3dje sal|på 3. sal|tredie sal|trejde sal|III. sal|iii.|3.etg.|3.s.|tredjesal|3de sal',
  4: '4de sal|på 4. sal|iv.|fjerde etage|4.s.|fjerdesal|fjere sal',
};

/** A floor in a word of its own, and a side in one of its own. */
function wordOf(words: Readonly<Record<string, string>>, of: string | null, random: Random) {
  const ways = words[of ?? ''];
  return ways === undefined ? null : pick(ways.split('|'), random);
}

const sides = (name: string, fits: Fits, start: string): Kind =>
  kind('unit words', name, UNIT, (a, random) => {
    const side = wordOf(SIDE_WORDS, a.door, random);
    return side === null || !fits(a) ? null : written(a, { unit: filled(start, a) + side });
  });
const floors = (name: string, fits: Fits, end: string): Kind =>
  kind('unit words', name, UNIT, (a, random) => {
    const floor = wordOf(FLOOR_WORDS, a.floor, random);
    if (floor === null || !fits(a)) return null;
    return written(a, { unit: `${floor}${filled(end, a)}`.trim() });
  });

const UNIT_WORDS: readonly Kind[] = [
  sides('a side misspelt or cut', hasSide, '{f}. '),
  sides('… behind sal', isSided, '{f}. sal '),
  sides('… without a blank', hasSide, '{f}.'),
  sides('… behind sal and a comma', isSided, '{f}. sal, '),
  floors('a floor misspelt or spoken', () => true, ' {d}'),
  floors('… and a comma', (a) => a.door !== null && hasNumberedFloor(a), ', {d}'),
  floors('… and a side in words', (a) => isSided(a) && a.door !== 'mf', ' til {s}'),
  units(
    'unit words',
    'floor, a sign, side',
    isSided,
    '{f}. - {d}|{f}-{d}|{f},{d}|{f}:{d}|{f}/{d}|{f}.-{d}|{f}_{d}|{f}–{d}|{f}·{d}|{f}.sal-{d}|{f}.sal/{d}|{f}.dør {d}|{f}. et.{d}',
  ),
  units(
    'unit words',
    'ground floor, a sign, side',
    isGround,
    'stuen{d}|st{d}|st.{d}.|st-{d}|st/{d}|stue-{d}|stuen/{s}|st:{d}|st,{d}|stue {d}.',
  ),
  units(
    'unit words',
    'the side before its floor',
    isSided,
    '{d} på {f}. sal|{s}, {f}. sal|dør {d}, {f}. sal|lejlighed {d} {f}. etage|lejl. {s}, {f}. sal|{d} - {f}. sal',
  ),
  units(
    'unit words',
    'labels',
    isSided,
    'etage: {f}, dør: {d}|etage={f} dør={d}|sal: {f}, side: {d}|sal {f} dør {d}|Etg.: {f}, dør: {d}|et. {f} d. {d}',
  ),
  units(
    'unit words',
    'labels of numbers',
    isNumbered,
    'etage: {f}, dør: {d}|sal {f} dør {d}|{f}. sal dør nr. {d}|{f}. sal bolignr. {d}|{f}.s. {d}|{f}.dør {d}|{f}.etg.{d}|{f}.lejl. {d}',
  ),
  units(
    'unit words',
    'words before a number',
    isNumbered,
    '{f}. Lejl {d}|{f}. vær. {d}|{f}. dør:{d}|{f}. bolignr. {d}|{f}. rum {d}|{f}. #{d}|{f}. /{d}|{f}. app. nr. {d}',
  ),
  units(
    'unit words',
    'a building before',
    isSided,
    'opgang 3 {f}. {d}|opg. B {f}. {d}|2. opg., {f}. {d}|baghus {f}. {d}|trappe 2, {f}. {d}|blok 4, {f}. {d}',
  ),
];

const GLUED: readonly Kind[] = [
  glued(
    'number, floor and side with signs',
    isSided,
    '{n},{f},{d} | {n} {f} {d} | {n}. {f}. {d} | {n} - {f} - {d} | {n};{f};{d} | {n}|{f}|{d} | {n} ({f}. {d}) | {n}_{f}_{d}',
  ),
  glued(
    'number, ground floor and side with signs',
    isGround,
    '{n}st{d} | {n},st{d} | {n}/st/{d} | {n}. st. {d} | {n}stuen {d} | {n};st.;{d} | {n}:st.{d}',
  ),
];

/** A house number with one digit that a scanner took for another sign, where no such house stands. */
function scannedNumber(a: Plain, random: Random, truth: Truth): string | null {
  const signs: readonly (readonly [RegExp, string])[] = [
    [/1/, 'l'],
    [/1/, 'I'],
    [/1(?=\d)/, '!'],
    [/0/, 'O'],
    [/5/, 'S'],
    [/8/, 'B'],
    [/2/, 'Z'],
    [/2/, 'z'],
    [/6(?=\d)/, 'G'],
    [/9(?=\d)/, 'g'],
  ];
  const [from, to] = pick(signs, random);
  const number = a.number.replace(from, to);
  const isOther = number === a.number || numbersOf(a, truth).has(number.toUpperCase());
  if (isOther || !/^\d{2}/.test(a.number) || !/\d/.test(number)) return null;
  return written(a, { start: `${a.road} ${number}` });
}

const encoded = (text: string, byte: (code: string) => string): string =>
  text.replace(/[æøåÆØÅé]/g, (letter) => byte(letter.charCodeAt(0).toString(16).toUpperCase()));

const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => encoded(text, (code) => `%${code}`).replaceAll(' ', '%20'),
  (text) => encoded(text, (code) => `&amp;#x${code};`),
  (text) => encoded(text, (code) => `&#x${code};`),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll(' ', '_'),
  (text) => text.replaceAll(' ', '\u200B '),
  (text) => `\uFEFF${text}`,
  (text) => text.replaceAll(', ', ' | '),
  (text) => text.replaceAll(', ', '\t'),
];

/** What a scanner makes of a floor or a side. */
const SCANNED = [
  ['th', 'tb'],
  ['th', 'lh'],
  ['th', 't h'],
  ['tv', 'tu'],
  ['mf', 'rnf'],
  ['st.', '5t.'],
  ['st.', 'sl.'],
  ['1. ', 'l. '],
  ['1. ', '|. '],
  ['2. ', 'Z. '],
] as const;

const MACHINE: readonly Kind[] = [
  kind('read by a machine', 'another sign for a digit', BOTH, scannedNumber),
  kind('read by a machine', 'floor or side as scanned', UNIT, (a, random) => {
    const [from, to] = pick(SCANNED, random);
    const unit = unitText(a).replace(from, to);
    return unit === unitText(a) ? null : written(a, { unit });
  }),
  kind('read by a machine', 'another encoding', BOTH, (a, random) => {
    const text = written(a);
    const made = pick(ENCODINGS, random)(text);
    return made === text ? null : made;
  }),
];

const NUMBERS: readonly Kind[] = [
  kind('written numbers', 'a letter with another sign', BOTH, (a, random) => {
    const [, n = '', letter = ''] = /^(\d+)([A-Z])$/.exec(a.number) ?? [];
    const ways = [
      ...["'#", '\\#', ':#', '*#', '– #', ' litra: #', ' bogst. #', ' litra #', ' "#"', '.#'],
    ];
    if (letter === '') return null;
    return written(a, { start: `${a.road} ${n}${pick(ways, random).replace('#', letter)}` });
  }),
  kind('written numbers', 'several houses', ACCESS, (a, random) => {
    const n = plainNumber(a);
    if (n === null) return null;
    const [next, last] = [n + 2, n + 4];
    const ways = [
      ...[`${n}+${next}`, `${n} til ${last}`, `${n} eller ${next}`, `${n} + ${next} + ${last}`],
      ...[`${n}/${next}/${last}`, `${n}-${next}-${last}`, `${n}..${last}`, `${n} t.o.m. ${last}`],
    ];
    return written(a, { start: `${a.road} ${pick(ways, random)}` });
  }),
];

const ORDER: readonly Kind[] = [
  kind('order', 'town, postcode, road without a comma', BOTH, (a) =>
    `${a.post} ${a.code} ${a.road} ${a.number} ${unitText(a)}`.trim(),
  ),
  kind('order', 'nr. 12 Nikolajgade', BOTH, (a, random) => {
    const number = pick(['nr. #', 'No. #', '##', '#.', 'nr. #,'], random).replace(
      /#(?!#)/,
      a.number,
    );
    return /\d/.test(a.road) ? null : list(`${number} ${a.road}`, unitText(a), place(a));
  }),
  kind('order', '1. th Nikolajgade 12', UNIT, (a) =>
    isSided(a) ? `${unitText(a)} ${a.road} ${a.number} ${place(a)}` : null,
  ),
];

const ENGLISH: readonly Kind[] = [
  units(
    'English',
    'floors and sides',
    isSided,
    '{nth} fl {l}|{nth} flr {l}|flr {f} {l}|level {f} {l}|{nth} storey {l}|{l}, {nth} floor|floor: {f}, {l}|fl {f} {l}|{f}F {l}|{f}/F {l}|F{f} {l}|on the {nth} floor to the {l}|{nth} floor, {l} hand side|{nth} level {l}',
  ),
  units(
    'English',
    'ground floors',
    isGround,
    'ground level {l}|ground flr {l}|on the ground floor to the {l}|ground {l}|ground floor - {l}|{l}, ground floor',
  ),
  units(
    'English',
    'rooms and numbers',
    isNumbered,
    'room {d}, {nth} floor|{nth} floor, room {d}|{nth} floor, number {d}|floor {f} unit {d}|level {f}, apt {d}|{nth} fl. apt. {d}|apt #{d}, floor {f}',
  ),
  units(
    'English',
    'cellars',
    isCellar,
    'in the basement {l}|lower ground floor {l}|lower ground {l}|bsmt. {l}|basment {l}|the basement {l}',
  ),
];

const TYPOS: readonly Kind[] = [
  kind('typos', 'in the road and the town', BOTH, (a, random, truth) => {
    const road = misspelt(a.road, random);
    if (a.road.length < 9 || a.post.length < 6 || truth.roadNames.has(road.toLowerCase()))
      return null;
    return written(a, {
      start: `${road} ${a.number}`,
      place: `${a.code} ${misspelt(a.post, random)}`,
    });
  }),
  kind('read by a machine', 'a blank within the road', BOTH, (a, random) => {
    if (!/^\p{L}{9,}$/u.test(a.road)) return null;
    const at = 3 + below(a.road.length - 6, random);
    return written(a, { start: `${a.road.slice(0, at)} ${a.road.slice(at)} ${a.number}` });
  }),
];

export const DRAWN: readonly Kind[] = [
  ...[...UNIT_WORDS, ...GLUED, ...MACHINE, ...NUMBERS, ...ORDER, ...ENGLISH, ...TYPOS],
];
