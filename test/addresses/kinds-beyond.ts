/**
 * Kinds of spellings that users of comparable services reported, or that tourists, scanners and
 * spreadsheets write. `absent` kinds mean nothing that stands in the register: a guess at most.
 */
import type { Plain, Truth } from './truth.ts';
import {
  absent,
  ACCESS,
  below,
  BOTH,
  endsInNumber,
  hasNumberedDoor,
  hasNumberedFloor,
  hasSide,
  kind,
  kindsIn,
  list,
  misspelt,
  numbersOf,
  parts,
  pick,
  place,
  plainNumber,
  UNIT,
  unitText,
  worded,
  written,
} from './writing.ts';
import type { Family, Kind, Random } from './writing.ts';

type Make = (a: Plain, random: Random, truth: Truth) => string | null;

/** A kind of road and number. */
const start = (family: Family, name: string, make: Make): Kind =>
  kind(family, name, BOTH, (a, random, truth) => {
    const made = make(a, random, truth);
    return made === null ? null : written(a, { start: made });
  });

/** Below ground where nothing is. */
const NO_FLOORS = `
  below ground | unit | unit | no cellar | -{f}. {d} ¦¦ -{f} {d} ¦¦ ÷{f}. {d} ¦¦ −{f}. sal {d} ¦¦ minus {f}. {d} ¦¦ -{f}.{d}
  below ground | unit | unit | no cellar | − {f}. {d} ¦¦ –{f}. {d} ¦¦ minus {f}. sal {d} ¦¦ -0{f}. {d} ¦¦ -{f}{d} ¦¦ - {f}. {d} ¦¦ etage -{f}, {d} ¦¦ -{f}/{d} ¦¦ -{f}, {d} ¦¦ (-{f}) {d}
`;

const WAYS = `
  below ground | unit | unit | cellar | kælder {d} ¦ kælderen {d} ¦ kld. {d} ¦ kaelder {d} ¦ kaelderen {d} ¦ i kælderen {d} ¦ kælderlejlighed {d} ¦ Kælderetagen {d} ¦ k1 {d}
  below ground | unit | unit | any cellar | -{k}. {d} ¦ ÷{k}. {d} ¦ −{k}. {d} ¦ -0{k}. {d}
  below ground | unit | unit | second cellar | kl{k} {d} ¦ kld{k} {d}
  towns in Sal | text | unit | town in Sal, flat | {r} {n}, {f}. {d} {tp}
  towns in Sal | start | both | road in Sal | {n} {r}
  numbered roads | start | both | road ends in number | {r}, {n} ¦¦ {r} nr. {n} ¦¦ {r}; {n}
  numbered roads | start | both | road ends in number | {r}, nr. {n} ¦ {r}, nr {n} ¦ {r}, Nr.{n} ¦ {r}, no. {n}
  numbered roads | text | both | road ends in number | {c} {p}, {r}, {n}, {u}
  glued units | behind | unit | split side | {n}{f}{d} ¦¦ {n}{f}.{d}
  glued units | behind | unit | lettered side | {a} {b}{f}{d}
  glued units | behind | unit | side | {n}.{f}.{d} ¦¦ {n},{f}{d} ¦¦ {n}-{f}-{d} ¦¦ {n}/{f}/{d} ¦¦ {n}/{f}.{d} ¦¦ {n} {f}{d} ¦¦ {n} {f}.{d}
  glued units | behind | unit | numbered | {n}/{f}/{d} ¦¦ {n}.{f}.{d}
  glued units | behind | unit | cellar alone | {n}kld
  glued units | behind | unit | ground alone | {n}st
  unit words | unit | unit | sided | {d}, {f}. ¦¦ 2. opgang, {u} ¦¦ opgang 2, {u}
  unit words | unit | unit | sided | {d} {f}. sal ¦ {d} {f}. ¦ {d} {f} sal
  unit words | unit | unit | sided | {f}. sal, dør {d} ¦ {f}. sal, lejlighed {d} ¦ {f}. sal, lejl. {d} ¦ {f}. sal, Lejl {d} ¦ {f}. sal, bolig {d}
  unit words | unit | unit | sided | {f}. sal dør {d} ¦ {f}. sal lejlighed {d} ¦ {f}. sal lejl. {d} ¦ {f}. sal Lejl {d} ¦ {f}. sal bolig {d}
  unit words | unit | unit | sided | {f}. s. {d} ¦ {f}.s. {d} ¦ {f}. s {d} ¦ {f} s. {d}
  unit words | unit | unit | numbered door | {f}. lejl.nr.{d} ¦¦ {f}. bolig {d} ¦¦ {f}. app. {d} ¦¦ {f}. lejlighedsnr. {d} ¦¦ {f}., lejlighed nr {d} ¦¦ {f}. dørnr. {d}
  unit words | unit | unit | ground side | stuen  {to2}
  read by a machine | unit | unit | middle | {f}. rnf
  read by a machine | unit | unit | first side | l. {d} ¦ I. {d} ¦ |. {d}
  written numbers | start | both | lettered | {r} {a}-{b} ¦¦ {r} {a}_{b} ¦¦ {r} {a}/{b} ¦¦ {r} {a},{b} ¦¦ {r} {a}.{b} ¦¦ {r} {a} - {bs} ¦¦ {r} {a}({b})
  written numbers | start | both | lettered | {r} {a} litra {b} ¦ {r} {a} Litra {b} ¦ {r} {a} lit. {b} ¦ {r} {a} litr. {b}
  written numbers | start | both | any | {r} #{n} ¦ {r} # {n} ¦ {r} No. {n} ¦ {r} nummer {n}
  written numbers | start | both | any | {r} nr{n} ¦ {r} Nr{n} ¦ {r} nr.{n}
  written numbers | start | both | any | {r} husnr. {n} ¦ {r} hus nr. {n} ¦ {r} husnummer {n}
  written numbers | start | both | any | {r} {n5}
  written numbers | start | access | plain number | {r} {n} + {m} ¦ {r} {n} & {m} ¦ {r} {n} samt {m} ¦ {r} {n} og {m} ¦ {r} {n} and {m}
  order | text | both | any | {c} {r} {n} {u} ¦¦ {c}, {r} {n}, {u} ¦¦ {c} {p} {r} {n} {u} ¦¦ {p}, {r} {n}, {u}, {c}
  order | text | both | letters of road, house | {n}, {r}, {c} {p}
  order | text | unit | letters of road, floor | {n}, {r}, {u}, {c} {p}
  English | unit | unit | sided | {nth} floor {l} ¦ {nth} floor, {l} ¦ {nth} floor to the {l}
  English | unit | unit | sided | {en} floor {l}
  English | unit | unit | ground side | ground floor {l} ¦ Ground Floor {l} ¦ groundfloor {l}
  English | unit | unit | sided | floor {f}, {d} ¦ Floor {f}, {d} ¦ fl. {f}, {d} ¦ floor {f} {l} ¦ Floor {f} {l} ¦ fl. {f} {l} ¦ floor {f}, {l} ¦ floor {f} {d}
  English | unit | unit | numbered | {nth} floor, apt. {d} ¦ {nth} floor, apartment {d} ¦ {nth} floor, Apt {d} ¦ {nth} floor, flat {d} ¦ {nth} floor, door {d} ¦ {nth} floor, unit {d}
  English | unit | unit | numbered | floor {f}, apt. {d}
  English | unit | unit | cellar | basement {l} ¦ Basement {l} ¦ cellar {l}
`;

/** Of parts: below ground where nothing is. */
const PARTS_BELOW: Kind = absent(
  kind('below ground', 'parts with -1', UNIT, (a, random, truth) => {
    const units = truth.unitsOf.get(a.houseId) ?? [];
    if (!hasNumberedFloor(a) || units.some(({ floor }) => /^k[l23]$/.test(floor ?? '')))
      return null;
    return parts(a, {
      floor: pick(['-#', '-0#', '-#.', '-#. sal', '−#', '÷#', '- #', 'minus #'], random).replace(
        '#',
        a.floor!,
      ),
    });
  }),
);

const zero = (text: string, random: Random): string => text + pick(['.0', ',0', '.00'], random);

const POINT_ZERO: readonly Kind[] = [
  kind('point zero', 'postcode', BOTH, (a, r) => parts(a, { postcode: zero(a.code, r) })),
  kind('point zero', 'house number', BOTH, (a, r) =>
    plainNumber(a) === null ? null : parts(a, { houseNumber: zero(a.number, r) }),
  ),
  kind('point zero', 'floor', UNIT, (a, r) =>
    hasNumberedFloor(a) ? parts(a, { floor: zero(a.floor!, r) }) : null,
  ),
  kind('point zero', 'door', UNIT, (a, r) =>
    hasNumberedDoor(a) ? parts(a, { door: zero(a.door!, r) }) : null,
  ),
  kind('point zero', 'in a text', BOTH, (a, r) =>
    plainNumber(a) === null
      ? null
      : written(a, { start: `${a.road} ${a.number}.0`, place: `${zero(a.code, r)} ${a.post}` }),
  ),
];

const isSalTown = ({ town, post }: Plain): boolean => /^sal/i.test(town ?? post);

const SAL_TOWNS: readonly Kind[] = [
  kind('towns in Sal', 'behind the number', BOTH, (a, random) => {
    if (!isSalTown(a) || a.floor !== null) return null;
    const rest = a.town === null ? `${a.post} ${a.code}` : `${a.town}, ${place(a)}`;
    const text = `${a.road} ${a.number} ${rest}`;
    return pick([text, text.toLowerCase(), text.toUpperCase(), text.replace(',', '')], random);
  }),
  kind('towns in Sal', 'without a postcode', BOTH, (a) =>
    isSalTown(a) && a.floor === null && a.town === null
      ? { written: `${a.road} ${a.number} ${a.post}`, told: 'town' }
      : null,
  ),
];

/** `Haveby Afd. 3` with a comma before its section, `by` with the section as `$1`; no unit behind. */
function section(a: Plain, by: string, pattern = / ((?:Afd|Nr|Vej)\.? (\d+))$/): string | null {
  if (!pattern.test(a.road) || !/ .* /.test(a.road) || unitText(a) !== '') return null;
  const made = a.road.replace(pattern, by);
  return /[. ]$/.test(made) ? made + a.number : `${made}, ${a.number}`;
}

const NUMBERED: readonly Kind[] = [
  start('numbered roads', 'nr. within the name', (a) => {
    const apart = a.road.replace(/ (\d+)$/, ' nr. $1');
    return endsInNumber(a) && !/\bnr\b/i.test(a.road) && apart !== a.road
      ? `${apart}, ${a.number}`
      : null;
  }),
  start('numbered roads', 'a comma within the name', (a) => section(a, ', $1')),
  start('numbered roads', 'commas, have 5', (a, random) =>
    section(a, `, $1, ${pick(['nr. ', 'have ', 'parcel nr. ', 'hus '], random)}`),
  ),
  start('numbered roads', '3. afd.', (a, random) =>
    section(a, `${pick([', ', ' '], random)}$2. afd., `, /[ ,]+Afd\.? ((\d+))$/),
  ),
  start('numbered roads', '2, Haveby Afd. 3', (a) =>
    section(a, '') === null ? null : `${a.number}, ${a.road}`,
  ),
];

const ORDINALS = [
  ...['', 'Førstes', 'Andens', 'Tredjes', 'Fjerdes', 'Femtes', 'Sjettes', 'Syvendes', 'Ottendes'],
  ...['Niendes', 'Tiendes'],
];
const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X'];
/** `Christian 8.s Vej`, `Frederik VII's Gade`: the king, his number and the rest. */
const KING =
  /^(Christian|Frederik|Chr\.|Valdemar)( den)? (\d{1,2}|[IVX]+)(?:\.?'?s|\.)? (\p{L}.*)$/u;

const SHORT: Readonly<Record<string, string>> = {
  ...{ Christian: 'Chr.', Frederik: 'Fr.', Valdemar: 'Vald.' },
};

/** The king as he is (`{who}`) or short (`{chr}`), his number (`8`, `VIII`, `Ottendes`), the rest, also small. */
const KING_WAYS = `
  {chr} {8} {small} ¦¦ {chr} {8}. {small} ¦¦ {who} {8} {rest} ¦¦ {chr} {8}.s {small}
  {chr} {8}'s {rest} ¦ {chr} {8}’s {rest} ¦ {chr} {8}s {rest}
  {who} {VIII} {rest} ¦¦ {who} {VIII}'s {rest} ¦¦ {chr} {VIII}'s {rest}
  {who} den {8}. {rest} ¦ {who} den {8}.s {rest} ¦ {who} den {8}'s {rest}
  {who} den {Ottendes} {rest}
  {chr}d.{8}.{small} ¦ {chr} d. {8}.{small}
`;

const KINGS: readonly Kind[] = KING_WAYS.trim()
  .split(/\n| ¦¦ /)
  .map((ways) =>
    start('kings', ways.trim(), (a, random, truth) => {
      const [, who = '', , number = '', rest = ''] = KING.exec(a.road) ?? [];
      if (who === '') return null;
      const n = /\d/.test(number) ? Number(number) : ROMAN.indexOf(number);
      const road = pick(ways.trim().split(' ¦ '), random)
        .replace('{who}', who)
        .replace('{chr}', SHORT[who] ?? who)
        .replace('{8}', String(n))
        .replace('{VIII}', ROMAN[n]!)
        .replace('{Ottendes}', ORDINALS[n]!)
        .replace('{rest}', rest)
        .replace('{small}', rest.toLowerCase());
      return truth.roadNames.has(road.toLowerCase()) ? null : `${road} ${a.number}`;
    }),
  );

const GLUED_WHOLE: Kind = kind('glued units', 'Vestergade12A1tv', UNIT, (a, random) => {
  const isSplit = /[A-Z]$/.test(a.number) || !/^\d/.test(a.floor ?? '');
  if (!hasSide(a) || !isSplit || /[\s\d]/.test(a.road) || /K$/.test(a.number)) return null;
  const made = `${a.road}${a.number}${a.floor}${pick(['', '.', '.sal'], random)}${a.door}`;
  const whole = list(made.replace(/(st|kl|k\d)\.sal/, '$1'), a.town, place(a));
  return pick([whole, whole.replaceAll(', ', ','), whole.toUpperCase()], random);
});

/** What people write for a side. */
const SIDE_WORDS: Readonly<Record<string, string>> = {
  tv: 'v.|ven.|venst.|til venstre|t.v|TV.|vestre side|venster|venste|tvv|vt',
  th: 'h.|hø.|højr.|til højre|hojre|hoejre|højer|åth|thh|ht|til hojre',
  mf: 'midt|midtfor|midt for|midt  for|mfor|midten|m.f|i midten|mff|fm|midfor',
};
const FLOOR_WORDS: Readonly<Record<string, string>> = {
  st: 'stuen|stue|stueetagen|i stuen|stueplan|stuelejlighed|st|ts.|stuenn|suten',
  kl: 'kælderen|kaelderen|i kælderen|lk.|kld|kælder',
  1: 'første sal|1 sal|første|1. etage|1. s.|forste sal|foerste sal|1.sal',
  2: 'anden sal|2 sal|2. s.|2. etage|2.sal|II|II.',
  3: 'tredje sal|3. s.|3 sal|tredie sal|III|III.',
  4: 'fjerde sal|4. s.|IV|4. etg.',
  5: 'femte sal|5. s.|5. et.',
};

const UNIT_WORDS: readonly Kind[] = [
  worded('a side in other words', SIDE_WORDS, { of: 'door', fits: hasSide, start: '{f}. ' }),
  worded('a floor in words', FLOOR_WORDS, {
    ...{ of: 'floor', fits: (a) => !hasNumberedDoor(a), end: ' {d}' },
  }),
  worded('floor and side in words', FLOOR_WORDS, {
    ...{ of: 'floor', fits: hasSide, end: ' {s} ¦  dør {s} ¦  lejl. {s}' },
  }),
];

/** A word of a road cut to its first letters, with a full stop behind. */
function cutWord(a: Plain, random: Random): string | null {
  const words = a.road.split(' ');
  const long = words.flatMap((word, i) =>
    /^\p{Lu}?\p{Ll}{4,}$/u.test(word) && i < words.length - 1 ? [i] : [],
  );
  if (long.length === 0) return null;
  const at = pick(long, random);
  const length = 1 + below(Math.min(4, words[at]!.length - 2), random);
  return words.with(at, `${words[at]!.slice(0, length)}.`).join(' ');
}

const initialsOf = (a: Plain): string | null => {
  const words = a.road.split(' ');
  const first = words.slice(0, -2);
  if (first.length === 0 || !first.every((word) => /^\p{Lu}\p{Ll}{2,}$/u.test(word))) return null;
  return [first.map((word) => `${word[0]!}.`).join(''), ...words.slice(-2)].join(' ');
};

/** First names for initials that the register has. */
const WRITTEN_OUT: readonly (readonly [RegExp, string])[] = [
  [/^H\. ?C\. ?/, 'Hans Christian '],
  [/^HC /, 'Hans Christian '],
  [/^N\. ?J\. ?/, 'Niels Jørgen '],
  [/^J\. ?P\. ?/, 'Jens Peter '],
  [/^C\. ?F\. ?/, 'Carl Frederik '],
  [/^N\. ?F\. ?S\. ?/, 'Nikolaj Frederik Severin '],
  [/^P\. ?/, 'Peter '],
];

/** A cut word before a road that is nowhere in the country. */
function strange(a: Plain, random: Random, truth: Truth): string | null {
  const words = a.road.split(' ');
  if (words.length < 2) return null;
  const letters = pick(
    ['Qv.', 'N.', 'Bor.', 'Dor.', 'Ph.', 'Xa.', 'Ul.', 'Th.', 'Åg.', 'Mik.', 'D.', 'P.'],
    random,
  );
  const road = [letters, ...words.slice(1)].join(' ');
  const start_ = letters.slice(0, -1).toLowerCase();
  const there = [...truth.roadsOf.get(a.code)!];
  // No road there has a word that begins so before what is left of it.
  const fits = there.some((name) => name.split(' ').some((word) => word.startsWith(start_)));
  return fits || isShort(start_) ? null : `${road} ${a.number}, ${place(a)}`;
}

const isShort = (word: string): boolean => /^(?:n|s|v|ø|dr|gl|p|th|d)$/.test(word);

const CUT_WORDS: readonly Kind[] = [
  start('cut words', 'a word cut to some letters', (a, random, truth) => {
    const road = cutWord(a, random);
    // As many roads there are cut to the same: no one can tell.
    return road === null || sameCut(a, road, truth) > 1 ? null : `${road} ${a.number}`;
  }),
  start('cut words', 'initials', (a, _, truth) => {
    const road = initialsOf(a);
    return road === null || sameCut(a, road, truth) > 1 ? null : `${road} ${a.number}`;
  }),
  start('cut words', 'initials written out', (a, _, truth) => {
    const rule = WRITTEN_OUT.find(([pattern]) => pattern.test(a.road));
    if (rule === undefined) return null;
    const road = a.road.replace(...rule);
    return truth.roadNames.has(road.toLowerCase()) ? null : `${road} ${a.number}`;
  }),
  start('cut words', 'Chr. for Christians', (a) =>
    /\bChristians /.test(a.road) ? `${a.road.replace(/\bChristians /, 'Chr. ')} ${a.number}` : null,
  ),
  start('cut words', 'cut end and typo', (a, random) => {
    const cut = a.road.replace(/(?<=\p{Ll}{4})(?:gade|vej|stræde)$/u, (end) =>
      end === 'stræde' ? 'str.' : `${end[0]!}.`,
    );
    if (cut === a.road) return null;
    const made = misspelt(cut.slice(0, -2), random) + cut.slice(-2);
    return `${made} ${a.number}`;
  }),
  start('cut words', 'Pilestrd.', (a, random) => {
    const cut = a.road.replace(/stræde$/, pick(['strd.', 'str.', 'stræd.', 'strde'], random));
    return cut === a.road ? null : `${cut} ${a.number}`;
  }),
  absent(kind('cut words', 'a cut word of no road', ACCESS, strange)),
];

/** Roads there whose words begin as those of a cut one do. */
export function sameCut(a: Plain, road: string, truth: Truth): number {
  const pattern = road
    .toLowerCase()
    .split(/(?<=\.)|\s+/)
    .filter((word) => word.trim() !== '')
    .map((word) => word.trim().replace(/\.$/, '\\S*').replace(/[()]/g, '.'))
    .join('\\s*');
  const whole = new RegExp(`^${pattern}$`);
  return [...truth.roadsOf.get(a.code)!].filter((name) => whole.test(name)).length;
}

/** A number with a sign that was read for another, where no such house stands. */
const misread = (name: string, fits: RegExp, from: string, to: string): Kind =>
  start('read by a machine', name, (a, _, truth) => {
    const number = a.number.replaceAll(from, to);
    return fits.test(a.number) && !numbersOf(a, truth).has(number) ? `${a.road} ${number}` : null;
  });

const MACHINE: readonly Kind[] = [
  misread('S for 5', /\d5|5\d/, '5', 'S'),
  misread('B for 8', /^(?:\d8|8\d)$/, '8', 'B'),
  misread('8 for B', /^\d+B$/, 'B', '8'),
  kind('read by a machine', 'letters in the postcode', BOTH, (a, random) => {
    const digits = a.code
      .split('')
      .map((digit) => ({ 0: 'O', 1: 'l', 5: 'S', 8: 'B' })[digit] ?? digit);
    const at = a.code.split('').flatMap((digit, i) => (digit === digits[i] ? [] : [i]));
    if (at.length === 0) return null;
    const one = pick(at, random);
    const code = a.code.slice(0, one) + digits[one]! + a.code.slice(one + 1);
    return written(a, { place: `${code} ${a.post}` });
  }),
  start('read by a machine', 'digits in the road', (a, random) => {
    const road = pick(
      [
        ['o', '0'],
        ['l', '1'],
        ['s', '5'],
        ['B', '8'],
        ['i', '1'],
      ] as const,
      random,
    );
    const made = a.road.slice(1).replace(road[0], road[1]);
    return made === a.road.slice(1) || /\d/.test(a.road)
      ? null
      : `${a.road[0]!}${made} ${a.number}`;
  }),
];

const entities = (text: string): string =>
  text.replace(/[æøåÆØÅé]/g, (letter) => `&${ENTITIES[letter]!};`);
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ æ: 'aelig', ø: 'oslash', å: 'aring', Æ: 'AElig', Ø: 'Oslash', Å: 'Aring', é: 'eacute' },
};

const ORDER: readonly Kind[] = [
  kind('order', 'a line break inside a word', BOTH, (a, random) => {
    if (!/^\p{L}{8,}$/u.test(a.road)) return null;
    const at = 3 + below(a.road.length - 5, random);
    return written(a, { start: `${a.road.slice(0, at)}-\n${a.road.slice(at)} ${a.number}` });
  }),
  kind('order', '&oslash;', BOTH, (a) => {
    const made = entities(written(a));
    return made === written(a) ? null : made;
  }),
  kind('order', '+ for blanks', BOTH, (a) => written(a).replaceAll(' ', '+')),
  kind('order', 'percent signs', BOTH, (a) => encodeURIComponent(written(a))),
  kind('order', '<br>', BOTH, (a, random) =>
    written(a).replaceAll(', ', pick(['<br>', '<br/>', '<br />'], random)),
  ),
];

export const BEYOND: readonly Kind[] = [
  ...[
    ...kindsIn(NO_FLOORS).map(absent),
    PARTS_BELOW,
    ...kindsIn(WAYS),
    ...POINT_ZERO,
    ...SAL_TOWNS,
  ],
  ...[...NUMBERED, ...KINGS, GLUED_WHOLE, ...UNIT_WORDS, ...CUT_WORDS, ...MACHINE, ...ORDER],
];
