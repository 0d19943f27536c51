/**
 * Kinds drawn anew after those of `kinds-beyond.ts` were read: most are a list of ways to write one thing,
 * of which each question draws one.
 */
import type { Plain, Truth } from './truth.ts';
import {
  below,
  BOTH,
  hasNumberedFloor,
  hasSide,
  isSided,
  kind,
  kindsIn,
  misspelt,
  numbersOf,
  pick,
  UNIT,
  unitText,
  worded,
  written,
} from './writing.ts';
import type { Kind, Random } from './writing.ts';

const WAYS = `
  unit words | unit | unit | sided | {f}. - {d} ¦ {f}-{d} ¦ {f},{d} ¦ {f}:{d} ¦ {f}/{d} ¦ {f}.-{d} ¦ {f}_{d} ¦ {f}–{d} ¦ {f}·{d} ¦ {f}.sal-{d} ¦ {f}.sal/{d} ¦ {f}.dør {d} ¦ {f}. et.{d}
  unit words | unit | unit | ground side | stuen{d} ¦ st{d} ¦ st.{d}. ¦ st-{d} ¦ st/{d} ¦ stue-{d} ¦ stuen/{s} ¦ st:{d} ¦ st,{d} ¦ stue {d}.
  unit words | unit | unit | sided | {d} på {f}. sal ¦ {s}, {f}. sal ¦ dør {d}, {f}. sal ¦ lejlighed {d} {f}. etage ¦ lejl. {s}, {f}. sal ¦ {d} - {f}. sal
  unit words | unit | unit | sided | etage: {f}, dør: {d} ¦ etage={f} dør={d} ¦ sal: {f}, side: {d} ¦ sal {f} dør {d} ¦ Etg.: {f}, dør: {d} ¦ et. {f} d. {d}
  unit words | unit | unit | numbered | etage: {f}, dør: {d} ¦ sal {f} dør {d} ¦ {f}. sal dør nr. {d} ¦ {f}. sal bolignr. {d} ¦ {f}.s. {d} ¦ {f}.dør {d} ¦ {f}.etg.{d} ¦ {f}.lejl. {d}
  unit words | unit | unit | numbered | {f}. Lejl {d} ¦ {f}. vær. {d} ¦ {f}. dør:{d} ¦ {f}. bolignr. {d} ¦ {f}. rum {d} ¦ {f}. #{d} ¦ {f}. /{d} ¦ {f}. app. nr. {d}
  unit words | unit | unit | sided | opgang 3 {f}. {d} ¦ opg. B {f}. {d} ¦ 2. opg., {f}. {d} ¦ baghus {f}. {d} ¦ trappe 2, {f}. {d} ¦ blok 4, {f}. {d}
  glued units | behind | unit | sided, road ends in letter | {n},{f},{d} ¦ {n} {f} {d} ¦ {n}. {f}. {d} ¦ {n} - {f} - {d} ¦ {n};{f};{d} ¦ {n}|{f}|{d} ¦ {n} ({f}. {d}) ¦ {n}_{f}_{d}
  glued units | behind | unit | ground side, road ends in letter | {n}st{d} ¦ {n},st{d} ¦ {n}/st/{d} ¦ {n}. st. {d} ¦ {n}stuen {d} ¦ {n};st.;{d} ¦ {n}:st.{d}
  English | unit | unit | sided | {nth} fl {l} ¦ {nth} flr {l} ¦ flr {f} {l} ¦ level {f} {l} ¦ {nth} storey {l} ¦ {l}, {nth} floor ¦ floor: {f}, {l} ¦ fl {f} {l} ¦ {f}F {l} ¦ {f}/F {l} ¦ F{f} {l} ¦ on the {nth} floor to the {l} ¦ {nth} floor, {l} hand side ¦ {nth} level {l}
  English | unit | unit | ground side | ground level {l} ¦ ground flr {l} ¦ on the ground floor to the {l} ¦ ground {l} ¦ ground floor - {l} ¦ {l}, ground floor
  English | unit | unit | numbered | room {d}, {nth} floor ¦ {nth} floor, room {d} ¦ {nth} floor, number {d} ¦ floor {f} unit {d} ¦ level {f}, apt {d} ¦ {nth} fl. apt. {d} ¦ apt #{d}, floor {f}
  English | unit | unit | cellar | in the basement {l} ¦ lower ground floor {l} ¦ lower ground {l} ¦ bsmt. {l} ¦ basment {l} ¦ the basement {l}
  written numbers | start | both | lettered | {r} {a}'{b} ¦ {r} {a}\\{b} ¦ {r} {a}:{b} ¦ {r} {a}*{b} ¦ {r} {a}– {b} ¦ {r} {a} litra: {b} ¦ {r} {a} bogst. {b} ¦ {r} {a} litra {b} ¦ {r} {a} "{b}" ¦ {r} {a}.{b}
  written numbers | start | access | plain number | {r} {n}+{m} ¦ {r} {n} til {o} ¦ {r} {n} eller {m} ¦ {r} {n} + {m} + {o} ¦ {r} {n}/{m}/{o} ¦ {r} {n}-{m}-{o} ¦ {r} {n}..{o} ¦ {r} {n} t.o.m. {o}
  order | text | both | any | {p} {c} {r} {n} {u}
  order | text | both | letters of road | nr. {n} {r}, {u}, {c} {p} ¦ No. {n} {r}, {u}, {c} {p} ¦ #{n} {r}, {u}, {c} {p} ¦ {n}. {r}, {u}, {c} {p} ¦ nr. {n}, {r}, {u}, {c} {p}
  order | text | unit | sided | {u} {r} {n} {c} {p}
`;

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

const side = (name: string, start: string, fits = hasSide): Kind =>
  worded(name, SIDE_WORDS, { of: 'door', fits, start });
const floor = (name: string, end: string, fits: (a: Plain) => boolean = () => true): Kind =>
  worded(name, FLOOR_WORDS, { of: 'floor', fits, end });

const UNIT_WORDS: readonly Kind[] = [
  side('a side misspelt or cut', '{f}. '),
  side('… behind sal', '{f}. sal ', isSided),
  side('… without a blank', '{f}.'),
  side('… behind sal and a comma', '{f}. sal, ', isSided),
  floor('a floor misspelt or spoken', ' {d}'),
  floor('… and a comma', ', {d}', (a) => a.door !== null && hasNumberedFloor(a)),
  floor('… and a side in words', ' til {s}', (a) => isSided(a) && a.door !== 'mf'),
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

export const DRAWN: readonly Kind[] = [...[...kindsIn(WAYS), ...UNIT_WORDS, ...MACHINE, ...TYPOS]];
