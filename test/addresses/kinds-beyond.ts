/**
 * Kinds of spellings that users of comparable services reported, or that tourists, scanners and
 * spreadsheets write. `absent` kinds mean nothing that stands in the register: a guess at most.
 */
import type { Plain, Truth } from './truth.ts';
import {
  ACCESS,
  below,
  BOTH,
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
  SIDES,
  UNIT,
  unitText,
  written,
} from './writing.ts';
import type { Family, Kind, Random } from './writing.ts';

type Make = (a: Plain, random: Random, truth: Truth) => string | null;

/** A kind of unit text, of units that have a floor. */
const unit = (family: Family, name: string, make: Make): Kind =>
  kind(family, name, UNIT, (a, random, truth) => {
    const made = a.floor === null ? null : make(a, random, truth);
    return made === null ? null : written(a, { unit: made });
  });

/** A kind of road and number. */
const start = (family: Family, name: string, make: Make): Kind =>
  kind(family, name, BOTH, (a, random, truth) => {
    const made = make(a, random, truth);
    return made === null ? null : written(a, { start: made });
  });

const absent = (own: Kind): Kind => ({ ...own, isAbsent: true });
const isSided = (a: Plain): boolean => hasSide(a) && hasNumberedFloor(a);
const door = ({ door: own }: Plain): string => own ?? '';

/** A floor with its door below the house it is in. */
const hasBelow = (a: Plain, truth: Truth, floors: readonly string[]): boolean =>
  (truth.unitsOf.get(a.houseId) ?? []).some((each) => floors.includes(each.floor ?? ''));

/** A floor above ground written with a minus, in a house that has no floor below. */
function belowGround(name: string, make: (floor: string, a: Plain) => string): Kind {
  return absent(
    unit('below ground', name, (a, _, truth) =>
      hasNumberedFloor(a) && !hasBelow(a, truth, ['kl', 'k2', 'k3', 'k4', 'k5', 'k6'])
        ? make(a.floor!, a)
        : null,
    ),
  );
}

const CELLARS = ['kl', 'k2', 'k3'];
const CELLAR_WORDS = [
  ...['kælder', 'kælderen', 'kld.', 'kaelder', 'kaelderen', 'i kælderen', 'kælderlejlighed'],
  ...['Kælderetagen', 'k1'],
];

const BELOW_GROUND: readonly Kind[] = [
  belowGround('-1. tv', (floor, a) => `-${floor}. ${door(a)}`),
  belowGround('-1 tv', (floor, a) => `-${floor} ${door(a)}`),
  belowGround('÷1. tv', (floor, a) => `÷${floor}. ${door(a)}`),
  belowGround('−1. sal tv', (floor, a) => `−${floor}. sal ${door(a)}`),
  belowGround('minus 1. tv', (floor, a) => `minus ${floor}. ${door(a)}`),
  belowGround('-1.tv', (floor, a) => `-${floor}.${door(a)}`),
  absent(
    kind('below ground', 'parts with -1', UNIT, (a, random, truth) => {
      if (!hasNumberedFloor(a) || hasBelow(a, truth, CELLARS)) return null;
      const floor = pick(
        [`-${a.floor}`, `-0${a.floor}`, `-${a.floor}.`, `-${a.floor}. sal`],
        random,
      );
      return { written: partsOf(a, { floor }) };
    }),
  ),
  unit('below ground', 'kælderen', (a, random) =>
    a.floor === 'kl' ? `${pick(CELLAR_WORDS, random)} ${door(a)}`.trim() : null,
  ),
  unit('below ground', '-1 of a cellar', (a, random) => {
    const depth = CELLARS.indexOf(a.floor ?? '') + 1;
    return depth === 0 ? null : `${pick(['-', '÷', '−', '-0'], random)}${depth}. ${door(a)}`.trim();
  }),
  unit('below ground', 'kl2', (a, random) =>
    a.floor === 'k2' || a.floor === 'k3'
      ? `${pick(['kl', 'kld'], random)}${a.floor[1]!} ${door(a)}`.trim()
      : null,
  ),
];

function partsOf(
  a: Plain,
  change: Partial<Record<'houseNumber' | 'floor' | 'door' | 'postcode', string>>,
) {
  return {
    ...{ road: a.road, houseNumber: a.number, floor: a.floor, door: a.door },
    ...{ postcode: a.code, town: a.post, ...change },
  };
}

const zero = (text: string, random: Random): string => text + pick(['.0', ',0', '.00'], random);

const POINT_ZERO: readonly Kind[] = [
  kind('point zero', 'postcode', BOTH, (a, r) => ({
    written: partsOf(a, { postcode: zero(a.code, r) }),
  })),
  kind('point zero', 'house number', BOTH, (a, r) =>
    plainNumber(a) === null ? null : { written: partsOf(a, { houseNumber: zero(a.number, r) }) },
  ),
  kind('point zero', 'floor', UNIT, (a, r) =>
    hasNumberedFloor(a) ? { written: partsOf(a, { floor: zero(a.floor!, r) }) } : null,
  ),
  kind('point zero', 'door', UNIT, (a, r) =>
    hasNumberedDoor(a) ? { written: partsOf(a, { door: zero(a.door!, r) }) } : null,
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
  kind('towns in Sal', 'behind a floor', UNIT, (a) =>
    isSalTown(a) && a.floor !== null && a.door !== null
      ? `${a.road} ${a.number}, ${a.floor}. ${a.door} ${list(a.town, place(a))}`
      : null,
  ),
  kind('towns in Sal', 'without a postcode', BOTH, (a) =>
    isSalTown(a) && a.floor === null && a.town === null
      ? { written: `${a.road} ${a.number} ${a.post}`, told: 'town' }
      : null,
  ),
  kind('towns in Sal', 'a road in Sal', BOTH, (a) =>
    /^sal/i.test(a.road) ? written(a, { start: `${a.number} ${a.road}` }) : null,
  ),
];

const endsInNumber = ({ road }: Plain): boolean => /\d$/.test(road);

/** `Haveby Afd. 3` with a comma before its section, `by` with the section as `$1`; no unit behind. */
function section(a: Plain, by: string, pattern = / ((?:Afd|Nr|Vej)\.? (\d+))$/): string | null {
  if (!pattern.test(a.road) || !/ .* /.test(a.road) || unitText(a) !== '') return null;
  const made = a.road.replace(pattern, by);
  return /[. ]$/.test(made) ? made + a.number : `${made}, ${a.number}`;
}

const NUMBERED: readonly Kind[] = [
  start('numbered roads', 'a comma before the number', (a) =>
    endsInNumber(a) ? `${a.road}, ${a.number}` : null,
  ),
  start('numbered roads', ', nr. 2', (a, random) =>
    endsInNumber(a)
      ? `${a.road}, ${pick(['nr. ', 'nr ', 'Nr.', 'no. '], random)}${a.number}`
      : null,
  ),
  start('numbered roads', 'nr. 2', (a) => (endsInNumber(a) ? `${a.road} nr. ${a.number}` : null)),
  start('numbered roads', 'nr. within the name', (a) => {
    const apart = a.road.replace(/ (\d+)$/, ' nr. $1');
    return endsInNumber(a) && !/\bnr\b/i.test(a.road) && apart !== a.road
      ? `${apart}, ${a.number}`
      : null;
  }),
  start('numbered roads', 'a semicolon', (a) =>
    endsInNumber(a) ? `${a.road}; ${a.number}` : null,
  ),
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
  kind('numbered roads', 'postcode first', BOTH, (a) =>
    endsInNumber(a) ? list(place(a), `${a.road}, ${a.number}`, unitText(a)) : null,
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

/** `make` gets the name, the number, and what follows. */
function king(
  name: string,
  make: (king: string, n: number, rest: string, random: Random) => string,
): Kind {
  return start('kings', name, (a, random, truth) => {
    const [, who = '', , number = '', rest = ''] = KING.exec(a.road) ?? [];
    if (who === '') return null;
    const n = /\d/.test(number) ? Number(number) : ROMAN.indexOf(number);
    const road = make(who, n, rest, random);
    return truth.roadNames.has(road.toLowerCase()) ? null : `${road} ${a.number}`;
  });
}

const shortKing = (who: string): string =>
  ({ Christian: 'Chr.', Frederik: 'Fr.', Valdemar: 'Vald.' })[who] ?? who;

const KINGS: readonly Kind[] = [
  king('Chr. 8 vej', (who, n, rest) => `${shortKing(who)} ${n} ${rest.toLowerCase()}`),
  king('Chr. 8. vej', (who, n, rest) => `${shortKing(who)} ${n}. ${rest.toLowerCase()}`),
  king('Christian 8 Vej', (who, n, rest) => `${who} ${n} ${rest}`),
  king('Chr. 8.s vej', (who, n, rest) => `${shortKing(who)} ${n}.s ${rest.toLowerCase()}`),
  king(
    "Chr. 8's Vej",
    (who, n, rest, random) => `${shortKing(who)} ${n}${pick(["'s", '’s', 's'], random)} ${rest}`,
  ),
  king('Christian VIII Vej', (who, n, rest) => `${who} ${ROMAN[n]!} ${rest}`),
  king("Christian VIII's Vej", (who, n, rest) => `${who} ${ROMAN[n]!}'s ${rest}`),
  king("Chr. VIII's Vej", (who, n, rest) => `${shortKing(who)} ${ROMAN[n]!}'s ${rest}`),
  king(
    'Christian den 8. Vej',
    (who, n, rest, random) => `${who} den ${n}${pick(['.', '.s', "'s"], random)} ${rest}`,
  ),
  king('Christian den Ottendes Vej', (who, n, rest) => `${who} den ${ORDINALS[n]!} ${rest}`),
  king(
    'Chr.d.8.vej',
    (who, n, rest, random) =>
      `${shortKing(who)}${pick(['d.', ' d. '], random)}${n}.${rest.toLowerCase()}`,
  ),
];

const GLUED: readonly Kind[] = [
  ...(
    [
      ['12A1tv', (a) => `${a.number}${a.floor}${door(a)}`],
      ['12A1.tv', (a) => `${a.number}${a.floor}.${door(a)}`],
      ['12A.1.tv', (a) => `${a.number}.${a.floor}.${door(a)}`],
      ['12A,1tv', (a) => `${a.number},${a.floor}${door(a)}`],
      ['12A-1-tv', (a) => `${a.number}-${a.floor}-${door(a)}`],
      ['12A/1/tv', (a) => `${a.number}/${a.floor}/${door(a)}`],
      ['12A/1.tv', (a) => `${a.number}/${a.floor}.${door(a)}`],
      ['12A 1tv', (a) => `${a.number} ${a.floor}${door(a)}`],
      ['12A 1.tv', (a) => `${a.number} ${a.floor}.${door(a)}`],
      ['12 A1tv', (a) => `${a.number.replace(/(?=[A-Z])/, ' ')}${a.floor}${door(a)}`],
    ] as const satisfies readonly (readonly [string, (a: Plain) => string])[]
  ).map(([name, make]) =>
    kind('glued units', name, UNIT, (a) => {
      // `121tv` may be two things.
      const needsLetter = /^12 ?A1/.test(name) && !/^12A1\.|^12A1tv/.test(name);
      const isSplit = /[A-Z]$/.test(a.number) || !/^\d/.test(a.floor ?? '');
      if (
        !hasSide(a) ||
        (needsLetter && !/[A-Z]$/.test(a.number)) ||
        (/^12A1/.test(name) && !isSplit)
      )
        return null;
      const made = `${a.road} ${make(a)}`;
      return list(made, a.town, place(a));
    }),
  ),
  kind('glued units', 'Vestergade12A1tv', UNIT, (a, random) => {
    const isSplit = /[A-Z]$/.test(a.number) || !/^\d/.test(a.floor ?? '');
    if (!hasSide(a) || !isSplit || /[\s\d]/.test(a.road) || /K$/.test(a.number)) return null;
    const made = `${a.road}${a.number}${a.floor}${pick(['', '.', '.sal'], random)}${a.door}`;
    const whole = list(made.replace(/(st|kl|k\d)\.sal/, '$1'), a.town, place(a));
    return pick([whole, whole.replaceAll(', ', ','), whole.toUpperCase()], random);
  }),
  kind('glued units', '12/2/3', UNIT, (a) =>
    hasNumberedDoor(a) && hasNumberedFloor(a)
      ? list(`${a.road} ${a.number}/${a.floor}/${a.door}`, a.town, place(a))
      : null,
  ),
  kind('glued units', '12.2.3', UNIT, (a) =>
    hasNumberedDoor(a) && hasNumberedFloor(a)
      ? list(`${a.road} ${a.number}.${a.floor}.${a.door}`, a.town, place(a))
      : null,
  ),
  kind('glued units', '12kld', UNIT, (a) =>
    (a.floor === 'kl' || a.floor === 'st') && a.door === null
      ? list(`${a.road} ${a.number}${a.floor === 'kl' ? 'kld' : 'st'}`, a.town, place(a))
      : null,
  ),
];

/** What people write for a side. */
const SIDE_WORDS: Readonly<Record<string, readonly string[]>> = {
  tv: [
    ...['v.', 'ven.', 'venst.', 'til venstre', 't.v', 'TV.', 'vestre side', 'venster', 'venste'],
    ...['tvv', 'vt'],
  ],
  th: [
    ...['h.', 'hø.', 'højr.', 'til højre', 'hojre', 'hoejre', 'højer', 'åth', 'thh', 'ht'],
    'til hojre',
  ],
  mf: [
    ...['midt', 'midtfor', 'midt for', 'midt  for', 'mfor', 'midten', 'm.f', 'i midten', 'mff'],
    ...['fm', 'midfor'],
  ],
};
const FLOOR_WORDS: Readonly<Record<string, readonly string[]>> = {
  st: [
    ...['stuen', 'stue', 'stueetagen', 'i stuen', 'stueplan', 'stuelejlighed', 'st', 'ts.'],
    ...['stuenn', 'suten'],
  ],
  kl: ['kælderen', 'kaelderen', 'i kælderen', 'lk.', 'kld', 'kælder'],
  1: ['første sal', '1 sal', 'første', '1. etage', '1. s.', 'forste sal', 'foerste sal', '1.sal'],
  2: ['anden sal', '2 sal', '2. s.', '2. etage', '2.sal', 'II', 'II.'],
  3: ['tredje sal', '3. s.', '3 sal', 'tredie sal', 'III', 'III.'],
  4: ['fjerde sal', '4. s.', 'IV', '4. etg.'],
  5: ['femte sal', '5. s.', '5. et.'],
};

const floorWord = (a: Plain, random: Random): string | null => {
  const words = FLOOR_WORDS[a.floor ?? ''];
  return words === undefined ? null : pick(words, random);
};
const numbered = (name: string, make: (a: Plain, floor: string) => string): Kind =>
  unit('unit words', name, (a) =>
    hasNumberedDoor(a) ? make(a, a.floor === 'st' ? 'st.' : `${a.floor}.`) : null,
  );

const UNIT_WORDS: readonly Kind[] = [
  unit('unit words', 'a side in other words', (a, random) =>
    hasSide(a) ? `${a.floor}. ${pick(SIDE_WORDS[a.door!]!, random)}` : null,
  ),
  unit('unit words', 'a floor in words', (a, random) => {
    const floor = floorWord(a, random);
    return floor === null || hasNumberedDoor(a) ? null : `${floor} ${door(a)}`.trim();
  }),
  unit('unit words', 'floor and side in words', (a, random) => {
    const floor = floorWord(a, random);
    return floor === null || !hasSide(a)
      ? null
      : `${floor} ${pick(['', 'dør ', 'lejl. '], random)}${SIDES[a.door!]!}`;
  }),
  unit('unit words', 'the side first', (a) => (isSided(a) ? `${a.door}, ${a.floor}.` : null)),
  unit('unit words', 'the side first, sal', (a, random) =>
    isSided(a) ? `${a.door} ${a.floor}${pick(['. sal', '.', ' sal'], random)}` : null,
  ),
  unit('unit words', 'dør tv', (a, random) =>
    isSided(a)
      ? `${a.floor}. sal${pick([',', ''], random)} ${pick(['dør', 'lejlighed', 'lejl.', 'Lejl', 'bolig'], random)} ${a.door}`
      : null,
  ),
  unit('unit words', '2. s. th', (a, random) =>
    isSided(a) ? `${a.floor}${pick(['. s. ', '.s. ', '. s ', ' s. '], random)}${a.door}` : null,
  ),
  numbered('lejl.nr.3', (a, floor) => `${floor} lejl.nr.${a.door}`),
  numbered('bolig 3', (a, floor) => `${floor} bolig ${a.door}`),
  numbered('app. 3', (a, floor) => `${floor} app. ${a.door}`),
  numbered('lejlighedsnr. 3', (a, floor) => `${floor} lejlighedsnr. ${a.door}`),
  numbered('lejlighed nr 3', (a, floor) => `${floor}, lejlighed nr ${a.door}`),
  numbered('dørnr. 3', (a, floor) => `${floor} dørnr. ${a.door}`),
  unit('unit words', '2. opgang', (a) => (isSided(a) ? `2. opgang, ${unitText(a)}` : null)),
  unit('unit words', 'opgang 2', (a) => (isSided(a) ? `opgang 2, ${unitText(a)}` : null)),
  unit('unit words', 'stuen  midt  for', (a) =>
    hasSide(a) && a.floor === 'st'
      ? `stuen  ${a.door === 'mf' ? 'midt  for' : `til  ${SIDES[a.door!]!}`}`
      : null,
  ),
];

/** A word of a road cut to its first letters, with a full stop behind; never to what is a word itself. */
function cutWord(a: Plain, random: Random): { readonly road: string; readonly cut: string } | null {
  const words = a.road.split(' ');
  const long = words.flatMap((word, i) =>
    /^\p{Lu}?\p{Ll}{4,}$/u.test(word) && i < words.length - 1 ? [i] : [],
  );
  if (long.length === 0) return null;
  const at = pick(long, random);
  const cut = words[at]!.slice(0, 1 + below(Math.min(4, words[at]!.length - 2), random));
  return { cut, road: words.map((word, i) => (i === at ? `${cut}.` : word)).join(' ') };
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
    const cut = cutWord(a, random);
    // As many roads there are cut to the same: no one can tell.
    if (cut === null || sameCut(a, cut.road, truth) > 1) return null;
    return `${cut.road} ${a.number}`;
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
function sameCut(a: Plain, road: string, truth: Truth): number {
  const pattern = road
    .toLowerCase()
    .split(/(?<=\.)|\s+/)
    .filter((word) => word.trim() !== '')
    .map((word) => word.trim().replace(/\.$/, '\\S*').replace(/[()]/g, '.'))
    .join('\\s*');
  const whole = new RegExp(`^${pattern}$`);
  return [...truth.roadsOf.get(a.code)!].filter((name) => whole.test(name)).length;
}

const swapped = (text: string, from: string, to: string): string | null =>
  text.includes(from) ? text.replaceAll(from, to) : null;

const MACHINE: readonly Kind[] = [
  start('read by a machine', 'S for 5', (a, _, truth) => {
    const number = /\d5|5\d/.test(a.number) ? swapped(a.number, '5', 'S') : null;
    return number === null || numbersOf(a, truth).has(number) ? null : `${a.road} ${number}`;
  }),
  start('read by a machine', 'B for 8', (a, _, truth) => {
    const number = /^(?:\d8|8\d)$/.test(a.number) ? swapped(a.number, '8', 'B') : null;
    return number === null || numbersOf(a, truth).has(number) ? null : `${a.road} ${number}`;
  }),
  start('read by a machine', '8 for B', (a, _, truth) => {
    const number = /^\d+B$/.test(a.number) ? a.number.replace('B', '8') : null;
    return number === null || numbersOf(a, truth).has(number) ? null : `${a.road} ${number}`;
  }),
  unit('read by a machine', 'rnf', (a) => (a.door === 'mf' ? `${a.floor}. rnf` : null)),
  unit('read by a machine', 'l. th', (a, random) =>
    a.floor === '1' && hasSide(a) ? `${pick(['l', 'I', '|'], random)}. ${a.door}` : null,
  ),
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

const lettered = (a: Plain): readonly [string, string] | null => {
  const [, number = '', letter = ''] = /^(\d+)([A-Z])$/.exec(a.number) ?? [];
  return letter === '' ? null : [number, letter];
};
const letterKind = (
  name: string,
  make: (number: string, letter: string, random: Random) => string,
): Kind =>
  start('written numbers', name, (a, random) => {
    const apart = lettered(a);
    return apart === null ? null : `${a.road} ${make(...apart, random)}`;
  });

const NUMBERS: readonly Kind[] = [
  letterKind('42-A', (n, letter) => `${n}-${letter}`),
  letterKind('42_A', (n, letter) => `${n}_${letter}`),
  letterKind('42/C', (n, letter) => `${n}/${letter}`),
  letterKind('42,A', (n, letter) => `${n},${letter}`),
  letterKind('42.A', (n, letter) => `${n}.${letter}`),
  letterKind('42 - a', (n, letter) => `${n} - ${letter.toLowerCase()}`),
  letterKind(
    'litra C',
    (n, letter, random) => `${n} ${pick(['litra ', 'Litra ', 'lit. ', 'litr. '], random)}${letter}`,
  ),
  letterKind('42(A)', (n, letter) => `${n}(${letter})`),
  start(
    'written numbers',
    '#75',
    (a, random) => `${a.road} ${pick(['#', '# ', 'No. ', 'nummer '], random)}${a.number}`,
  ),
  start(
    'written numbers',
    'nr104A',
    (a, random) => `${a.road} ${pick(['nr', 'Nr', 'nr.'], random)}${a.number}`,
  ),
  start(
    'written numbers',
    'husnr. 12',
    (a, random) => `${a.road} ${pick(['husnr. ', 'hus nr. ', 'husnummer '], random)}${a.number}`,
  ),
  start('written numbers', '00141', (a) => `${a.road} ${a.number.padStart(5, '0')}`),
  kind('written numbers', '54 + 56', ACCESS, (a, random) => {
    const n = plainNumber(a);
    return n === null
      ? null
      : written(a, {
          start: `${a.road} ${n} ${pick(['+', '&', 'samt', 'og', 'and'], random)} ${n + 2}`,
        });
  }),
];

const entities = (text: string): string =>
  text.replace(/[æøåÆØÅé]/g, (letter) => `&${ENTITIES[letter]!};`);
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ æ: 'aelig', ø: 'oslash', å: 'aring', Æ: 'AElig', Ø: 'Oslash', Å: 'Aring', é: 'eacute' },
};

const ORDER: readonly Kind[] = [
  kind('order', 'postcode first, no comma', BOTH, (a) =>
    `${a.code} ${a.road} ${a.number} ${unitText(a)}`.trim(),
  ),
  kind('order', 'postcode first, a comma behind', BOTH, (a) =>
    list(`${a.code}, ${a.road} ${a.number}`, unitText(a)),
  ),
  kind('order', 'place first, no comma', BOTH, (a) =>
    `${place(a)} ${a.road} ${a.number} ${unitText(a)}`.trim(),
  ),
  kind('order', 'town first', BOTH, (a) =>
    list(a.post, `${a.road} ${a.number}`, unitText(a), a.code),
  ),
  kind('order', '15, Nikolajgade', BOTH, (a) =>
    /\d/.test(a.road) || unitText(a) !== '' ? null : list(a.number, a.road, place(a)),
  ),
  kind('order', '15, Nikolajgade, 3. tv', UNIT, (a) =>
    /\d/.test(a.road) || a.floor === null ? null : list(a.number, a.road, unitText(a), place(a)),
  ),
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

const NTH = ['', '1st', '2nd', '3rd', '4th', '5th', '6th'];
const ENGLISH_FLOORS = ['ground', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
const LEFT: Readonly<Record<string, string>> = { tv: 'left', th: 'right', mf: 'middle' };
const depthOf = ({ floor }: Plain): number => (floor === 'st' ? 0 : Number(floor));

const ENGLISH: readonly Kind[] = [
  unit('English', '1st floor left', (a, random) =>
    isSided(a)
      ? `${NTH[depthOf(a)]!} floor${pick([' ', ', ', ' to the '], random)}${LEFT[a.door!]!}`
      : null,
  ),
  unit('English', 'first floor left', (a) =>
    isSided(a) ? `${ENGLISH_FLOORS[depthOf(a)]!} floor ${LEFT[a.door!]!}` : null,
  ),
  unit('English', 'ground floor right', (a, random) =>
    hasSide(a) && a.floor === 'st'
      ? `${pick(['ground floor', 'Ground Floor', 'groundfloor'], random)} ${LEFT[a.door!]!}`
      : null,
  ),
  unit('English', 'floor 3', (a, random) =>
    isSided(a)
      ? `${pick(['floor ', 'Floor ', 'fl. '], random)}${a.floor}${pick([', ', ' '], random)}${pick([a.door!, LEFT[a.door!]!], random)}`
      : null,
  ),
  unit('English', 'apt. 4', (a, random) =>
    hasNumberedDoor(a) && hasNumberedFloor(a)
      ? `${NTH[depthOf(a)]!} floor, ${pick(['apt. ', 'apartment ', 'Apt ', 'flat ', 'door ', 'unit '], random)}${a.door}`
      : null,
  ),
  unit('English', 'floor 3, apt. 4', (a) =>
    hasNumberedDoor(a) && hasNumberedFloor(a) ? `floor ${a.floor}, apt. ${a.door}` : null,
  ),
  unit('English', 'basement', (a, random) =>
    a.floor === 'kl'
      ? `${pick(['basement', 'Basement', 'cellar'], random)} ${LEFT[door(a)] ?? door(a)}`.trim()
      : null,
  ),
];

export const BEYOND: readonly Kind[] = [
  ...[...BELOW_GROUND, ...POINT_ZERO, ...SAL_TOWNS, ...NUMBERED, ...KINGS, ...GLUED],
  ...[...UNIT_WORDS, ...CUT_WORDS, ...MACHINE, ...NUMBERS, ...ORDER, ...ENGLISH],
];
