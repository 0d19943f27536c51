/**
 * The kinds of ways in which people write addresses. Each takes an address and writes it in its way,
 * and says what of it is still told: that is the truth it is judged by. null: not of this address.
 */
import { BEYOND } from './kinds-beyond.ts';
import { DRAWN } from './kinds-drawn.ts';
import { FORMS } from './kinds-forms.ts';
import type { Plain, Truth } from './truth.ts';
import {
  ACCESS,
  BOTH,
  UNIT,
  below,
  kind,
  hasNumberedDoor,
  hasNumberedFloor,
  hasSide,
  list,
  misspelt,
  numbersOf,
  pick,
  place,
  plainNumber,
  SIDES,
  unitText,
  written,
} from './writing.ts';
import type { Kind, Parts, Random, Spelling } from './writing.ts';

/** A typo that made another road of the country says another road: then it is no typo any more. */
function typo(a: Plain, times: number, random: Random, truth: Truth): string | null {
  let { road } = a;
  if (road.replace(/[^\p{L}]/gu, '').length < 4 + 2 * times) return null;
  for (let i = 0; i < times; i++) road = misspelt(road, random);
  if (truth.roadNames.has(road.toLowerCase())) return null;
  return written(a, { start: `${road} ${a.number}` });
}

/** A kind of unit text: `make` gets the floor and the door. */
function unitKind(
  name: string,
  fits: (a: Plain) => boolean,
  make: (floor: string, door: string, random: Random) => string,
): Kind {
  return kind('floor and door', name, UNIT, (a, random) =>
    fits(a) && a.floor !== null ? written(a, { unit: make(a.floor, a.door ?? '', random) }) : null,
  );
}

const sidedOnNumber = (a: Plain): boolean => hasSide(a) && hasNumberedFloor(a);
const numberedOnNumber = (a: Plain): boolean => hasNumberedDoor(a) && hasNumberedFloor(a);

/** Long forms and what people write for them: one of the pairs is tried, whichever fits. */
const SHORTENED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^Gammel /, ['Gl. ', 'Gl ', 'Gml. ']],
  [/^Gl\. /, ['Gammel ', 'Gamle ']],
  [/^Nørre /, ['Nr. ', 'Ndr. ']],
  [/^Sønder /, ['Sdr. ']],
  [/^Søndre /, ['Sdr. ', 'Sdr ']],
  [/^Nordre /, ['Ndr. ', 'Nr. ']],
  [/^Store /, ['St. ', 'Str. ']],
  [/^Lille /, ['Ll. ']],
  [/^Sankt /, ['Skt. ', 'Sct. ', 'St. ']],
  [/^Skt\. /, ['Sankt ', 'Sct. ']],
  [/\bChristian /, ['Chr. ', 'Chr ']],
  [/\bChr\. /, ['Christian ']],
  [/\bFrederik /, ['Fr. ', 'Frd. ']],
  [/\bBorgmester /, ['Borgm. ']],
  [/\bDoktor /, ['Dr. ']],
  [/\bDronning /, ['Dr. ', 'Dronn. ']],
  [/\bKongens /, ['Kgs. ']],
  [/ Boulevard$/, [' Blvd.', ' Boul.', ' Blv.', ' Bld.']],
  [/ Allé$/, [' Alle', ' Allé.', ' All.', ' Allee']],
  [/ Plads$/, [' Pl.', ' pl']],
  [/ Vej$/, [' V.', ' vej']],
  [/ Gade$/, [' Gd.', ' gade']],
  [/(?<=\p{Ll})gade$/u, ['g.', 'gd.']],
  [/(?<=\p{Ll}{3})vej$/u, ['v.', 'vj.']],
];

function shortened(a: Plain, random: Random): string | null {
  const rules = SHORTENED.filter(([pattern]) => pattern.test(a.road));
  if (rules.length === 0) return null;
  const [pattern, forms] = pick(rules, random);
  return a.road.replace(pattern, pick(forms, random));
}

/** A digit of the postcode changed so that it is the code of no other place. */
function otherCode({ code }: Plain, random: Random, truth: Truth): string {
  for (;;) {
    const at = 1 + below(3, random);
    const made = code.slice(0, at) + String(below(10, random)) + code.slice(at + 1);
    if (!truth.posts.some((post) => post.code === made)) return made;
  }
}

function parts(a: Plain, change: Partial<Parts> = {}): Spelling {
  return {
    written: {
      ...{ road: a.road, houseNumber: a.number, floor: a.floor, door: a.door },
      ...{ postcode: a.code, town: a.post, ...change },
    },
  };
}

/** Edits between two texts, the plain way. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, other));
    }
    row = next;
  }
  return row[b.length]!;
}

/** A road of somewhere else written into a place that has only one that is like it. */
function absentRoad(a: Plain, random: Random, truth: Truth): string | null {
  const own = a.road.toLowerCase();
  const there = truth.roadsOf.get(a.code)!;
  const names = [...truth.roadNames];
  const start = below(names.length, random);
  for (let i = 0; i < 400; i++) {
    const name = names[(start + i) % names.length]!;
    if (name === own || there.has(name) || Math.abs(name.length - own.length) > 3) continue;
    if (isOneName(name, own) || distance(name, own) > 3) continue;
    return `${name[0]!.toUpperCase()}${name.slice(1)} ${a.number}, ${place(a)}`;
  }
  return null;
}

/** `Nørre Allé` and `Nørreallé` are one name. */
const isOneName = (a: string, b: string): boolean => bare(a) === bare(b);
const bare = (name: string): string =>
  name
    .replaceAll('å', 'aa')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');

const TOWNS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^København/, ['Kbh.', 'KBH', 'Kbh', 'Copenhagen', 'Cph']],
  [/^Frederiksberg/, ['Frb.', 'Frb', 'F.berg']],
  [/^Aarhus/, ['Århus']],
  [/^Århus/, ['Aarhus']],
  [/^Kongens Lyngby/, ['Kgs. Lyngby', 'Lyngby']],
  [/^Kgs\. /, ['Kongens ']],
  [/^Nykøbing/, ['Nyk.']],
];

function townAlias(a: Plain, random: Random): string | null {
  const rule = TOWNS.find(([pattern]) => pattern.test(a.post));
  return rule === undefined ? null : a.post.replace(rule[0], pick(rule[1], random));
}

/** Those of the first round, of which `examples.ts` has three each. */
export const FIRST_KINDS: readonly Kind[] = [
  // As registered, whatever the dress.
  kind('as registered', 'as registered', BOTH, (a) => written(a)),
  kind('as registered', 'in capitals', BOTH, (a) => written(a).toUpperCase()),
  kind('as registered', 'in small letters', BOTH, (a) => written(a).toLowerCase()),
  kind('as registered', 'without commas', BOTH, (a) => written(a).replaceAll(',', '')),
  kind('as registered', 'on lines', BOTH, (a) => written(a).replaceAll(', ', '\n')),
  kind('as registered', 'commas without spaces', BOTH, (a) => written(a).replaceAll(', ', ',')),
  kind('as registered', 'æ ø å spelt out', BOTH, (a) =>
    written(a).toLowerCase().replaceAll('æ', 'ae').replaceAll('ø', 'oe').replaceAll('å', 'aa'),
  ),
  kind('as registered', 'place first', BOTH, (a) => list(place(a), written(a, { place: '' }))),
  kind('as registered', 'semicolons', BOTH, (a) => written(a).replaceAll(', ', '; ')),
  kind('as registered', 'dashes between', BOTH, (a) => written(a).replaceAll(', ', ' - ')),
  kind('as registered', 'spaces doubled', BOTH, (a) => written(a).replaceAll(' ', '  ')),
  // Typos.
  kind('typos', 'one typo in the road', BOTH, (a, r, t) => typo(a, 1, r, t)),
  kind('typos', 'two typos in the road', BOTH, (a, r, t) => typo(a, 2, r, t)),
  kind('typos', 'typo in the town', BOTH, (a, r) =>
    a.post.length < 5 ? null : written(a, { place: `${a.code} ${misspelt(a.post, r)}` }),
  ),
  kind('typos', 'road in two words', BOTH, (a) => {
    const apart = a.road.replace(/(\p{Ll}{3})(vej|gade|vænget|parken|bakken|stræde)$/u, '$1 $2');
    return apart === a.road ? null : written(a, { start: `${apart} ${a.number}` });
  }),
  kind('typos', 'road in one word', BOTH, (a) =>
    / /.test(a.road) && !/\d/.test(a.road)
      ? written(a, { start: `${a.road.replaceAll(' ', '')} ${a.number}` })
      : null,
  ),
  // The place.
  kind('place', 'postcode alone', BOTH, (a) => written(a, { place: a.code })),
  kind('place', 'town alone', BOTH, (a) => ({
    written: written(a, { place: a.post }),
    told: 'town',
  })),
  kind('place', 'no place', BOTH, (a) => ({
    written: written(a, { town: null, place: '' }),
    told: 'nothing',
  })),
  kind('place', 'no supplementary town', BOTH, (a) =>
    a.town === null ? null : written(a, { town: null }),
  ),
  kind('place', 'town without its district', BOTH, (a) => {
    const short = a.post.replace(/ (?:\p{Lu}{1,2})$/u, '');
    return short === a.post ? null : written(a, { place: `${a.code} ${short}` });
  }),
  kind('place', 'town by another name', BOTH, (a, random) => {
    const alias = townAlias(a, random);
    return alias === null ? null : written(a, { place: `${a.code} ${alias}` });
  }),
  kind('place', 'wrong digit in the postcode', BOTH, (a, random, truth) =>
    written(a, { place: `${otherCode(a, random, truth)} ${a.post}` }),
  ),
  kind('place', 'glued to its town', BOTH, (a) => written(a, { place: `${a.code}${a.post}` })),
  kind('place', 'postcode last', BOTH, (a) => written(a, { place: `${a.post} ${a.code}` })),
  // The country.
  kind('country', 'Danmark behind', BOTH, (a) => `${written(a)}, Danmark`),
  kind('country', 'DENMARK behind', BOTH, (a) => `${written(a)}, DENMARK`),
  kind('country', 'DK behind', BOTH, (a) => `${written(a)}, DK`),
  kind('country', 'DK behind without a comma', BOTH, (a) => `${written(a)} DK`),
  kind('country', 'DK-postcode', BOTH, (a) => written(a, { place: `DK-${place(a)}` })),
  kind('country', 'DK postcode', BOTH, (a) => written(a, { place: `DK ${place(a)}` })),
  kind('country', 'DKpostcode', BOTH, (a) => written(a, { place: `DK${place(a)}` })),
  kind(
    'country',
    'region behind',
    BOTH,
    (a, random) =>
      `${written(a)}, ${pick(['Region Hovedstaden', 'Region Syddanmark', 'Sjælland', 'Fyn', 'Jylland'], random)}`,
  ),
  kind('country', 'island and country behind', BOTH, (a) => `${written(a)}, Fyn, Danmark`),
  // Floor and door.
  unitKind('2. sal tv', sidedOnNumber, (floor, door) => `${floor}. sal ${door}`),
  unitKind('2.sal t.v.', sidedOnNumber, (floor, door) => `${floor}.sal ${door[0]}.${door[1]}.`),
  unitKind('2. t.v.', hasSide, (floor, door) => `${floor}. ${door[0]}.${door[1]}.`),
  unitKind('2. t.  v.', hasSide, (floor, door) => `${floor}. ${door[0]}.  ${door[1]}.`),
  unitKind('3t.v.', sidedOnNumber, (floor, door) => `${floor}${door[0]}.${door[1]}.`),
  unitKind('2tv', sidedOnNumber, (floor, door) => `${floor}${door}`),
  unitKind('2.tv', hasSide, (floor, door) => `${floor}.${door}`),
  unitKind('4-tv', hasSide, (floor, door) => `${floor}-${door}`),
  unitKind('4/tv', hasSide, (floor, door) => `${floor}/${door}`),
  unitKind('1.højre', hasSide, (floor, door) => `${floor}.${SIDES[door]!}`),
  unitKind('2venstre', sidedOnNumber, (floor, door) => `${floor}${SIDES[door]!}`),
  unitKind(
    '2 til venstre',
    hasSide,
    (floor, door) => `${floor}. ${door === 'mf' ? 'midt for' : `til ${SIDES[door]!}`}`,
  ),
  unitKind(
    'stuen',
    ({ floor }) => floor === 'st',
    (_, door) => `stuen ${door}`,
  ),
  unitKind('floor and door by commas', hasSide, (floor, door) => `${floor}., ${door}`),
  unitKind('1. -3', hasNumberedDoor, (floor, door) => `${floor}. -${door}`),
  unitKind('1.-3', hasNumberedDoor, (floor, door) => `${floor}.-${door}`),
  unitKind('1. -0121', hasNumberedDoor, (floor, door) => `${floor}. -${door.padStart(4, '0')}`),
  unitKind('d. 2', hasNumberedDoor, (floor, door) => `${floor}. d. ${door}`),
  unitKind('dør 2', numberedOnNumber, (floor, door) => `${floor}. sal, dør ${door}`),
  unitKind('lejl. 2', hasNumberedDoor, (floor, door) => `${floor}. lejl. ${door}`),
  unitKind('1. sal nr. 2', numberedOnNumber, (floor, door) => `${floor}. sal nr. ${door}`),
  unitKind('3.sal.th', sidedOnNumber, (floor, door) => `${floor}.sal.${door}`),
  unitKind('1-7', numberedOnNumber, (floor, door) => `${floor}-${door}`),
  unitKind('1/7', numberedOnNumber, (floor, door) => `${floor}/${door}`),
  unitKind('door in brackets', hasSide, (floor, door) => `${floor}. (${door})`),
  unitKind('lejl. nr. 7', numberedOnNumber, (floor, door) => `${floor}. sal, lejl. nr. ${door}`),
  kind('floor and door', 'before the road', UNIT, (a) =>
    hasSide(a) ? list(unitText(a), `${a.road} ${a.number}`, a.town, place(a)) : null,
  ),
  kind('floor and door', '36A/3th', UNIT, (a) =>
    hasSide(a) && hasNumberedFloor(a)
      ? list(`${a.road} ${a.number}/${a.floor!}${a.door!}`, a.town, place(a))
      : null,
  ),
  unitKind(
    'leading zeros',
    hasNumberedFloor,
    (floor, door) => `0${floor}. ${/^\d/.test(door) ? `0${door}` : door}`,
  ),
  kind('floor and door', 'floor behind the number', UNIT, (a) =>
    a.floor === null ? null : list(`${a.road} ${a.number} ${unitText(a)}`, a.town, place(a)),
  ),
  // The house number.
  kind('number', 'a range', ACCESS, (a, _, truth) => {
    const n = plainNumber(a);
    return n === null || !numbersOf(a, truth).has(a.number)
      ? null
      : written(a, { start: `${a.road} ${n}-${n + 4}` });
  }),
  kind('number', 'a range with a slash', ACCESS, (a) => {
    const n = plainNumber(a);
    return n === null ? null : written(a, { start: `${a.road} ${n}/${n + 2}` });
  }),
  kind('number', 'a range of letters', ACCESS, (a) =>
    /^\d+A$/.test(a.number) ? written(a, { start: `${a.road} ${a.number}-C` }) : null,
  ),
  kind('number', 'a range with spaces', ACCESS, (a) => {
    const n = plainNumber(a);
    return n === null ? null : written(a, { start: `${a.road} ${n} - ${n + 2}` });
  }),
  kind('number', 'two numbers', ACCESS, (a) => {
    const n = plainNumber(a);
    return n === null ? null : written(a, { start: `${a.road} ${n} og ${n + 2}` });
  }),
  kind('number', 'in brackets', BOTH, (a) => written(a, { start: `${a.road} (${a.number})` })),
  kind('number', 'glued to the road', BOTH, (a) =>
    /\d$/.test(a.road) ? null : written(a, { start: a.road + a.number }),
  ),
  kind('number', 'before the road', BOTH, (a) =>
    /^\d/.test(a.road) ? null : written(a, { start: `${a.number} ${a.road}` }),
  ),
  kind('number', 'nr. before it', BOTH, (a) => written(a, { start: `${a.road} nr. ${a.number}` })),
  kind('number', 'a comma before it', BOTH, (a) => written(a, { start: `${a.road}, ${a.number}` })),
  kind('number', 'leading zeros of the number', BOTH, (a) =>
    written(a, { start: `${a.road} ${a.number.padStart(4, '0')}` }),
  ),
  kind('number', 'letter apart', BOTH, (a) =>
    /[A-Z]$/.test(a.number)
      ? written(a, {
          start: `${a.road} ${a.number.slice(0, -1)} ${a.number.slice(-1).toLowerCase()}`,
        })
      : null,
  ),
  // Words beside.
  kind('words', 'c/o before', BOTH, (a) => `c/o Hansen, ${written(a)}`),
  kind('words', 'a firm before', BOTH, (a) => `Murermester Aksglæde ApS, ${written(a)}`),
  kind('words', 'att. on lines', BOTH, (a) => `Att.: Jens Aksglæde\n${written(a)}`),
  kind('words', 'c/o between', BOTH, (a) =>
    list(`${a.road} ${a.number}`, unitText(a), 'c/o Hansen', place(a)),
  ),
  kind('words', 'bagbygningen', UNIT, (a) =>
    a.floor === null ? null : list(`${a.road} ${a.number}`, 'bagbygningen', unitText(a), place(a)),
  ),
  kind('words', 'opgang B', UNIT, (a) =>
    a.floor === null ? null : list(`${a.road} ${a.number}`, 'opgang B', unitText(a), place(a)),
  ),
  kind('words', 'baghus without a comma', UNIT, (a) =>
    a.floor === null ? null : list(`${a.road} ${a.number} baghus`, unitText(a), place(a)),
  ),
  // Abbreviations.
  kind('abbreviations', 'a word of the road shortened or spelt out', BOTH, (a, random, truth) => {
    const road = shortened(a, random);
    return road === null || truth.roadNames.has(road.toLowerCase())
      ? null
      : written(a, { start: `${road} ${a.number}` });
  }),
  kind('abbreviations', 'full stops left out', BOTH, (a) =>
    a.road.includes('.') && !/\d/.test(a.road)
      ? written(a, { start: `${a.road.replaceAll('.', '')} ${a.number}` })
      : null,
  ),
  // Parts.
  kind('parts', 'each part by itself', BOTH, (a) => parts(a)),
  kind('parts', 'number in the road', BOTH, (a) =>
    parts(a, { road: `${a.road} ${a.number}`, houseNumber: null }),
  ),
  kind('parts', 'floor and door in the number', UNIT, (a) =>
    a.floor === null
      ? null
      : parts(a, { houseNumber: `${a.number}, ${unitText(a)}`, floor: null, door: null }),
  ),
  kind('parts', 'door in the floor', UNIT, (a) =>
    a.floor === null || a.door === null ? null : parts(a, { floor: unitText(a), door: null }),
  ),
  kind('parts', 'all before the place in the road', UNIT, (a) =>
    parts(a, {
      ...{ road: list(`${a.road} ${a.number}`, unitText(a)), houseNumber: null },
      ...{ floor: null, door: null },
    }),
  ),
  kind('parts', 'DK- in the postcode', BOTH, (a) => parts(a, { postcode: `DK-${a.code}` })),
  kind('parts', 'town in the postcode', BOTH, (a) => parts(a, { postcode: place(a), town: null })),
  kind('parts', 'address, postcode and town', BOTH, (a) => ({
    written: { text: list(`${a.road} ${a.number}`, unitText(a)), postcode: a.code, town: a.post },
  })),
  kind('parts', 'address and town', BOTH, (a) => ({
    written: { text: list(`${a.road} ${a.number}`, unitText(a)), postcode: null, town: a.post },
    told: 'town',
  })),
  kind('parts', 'whole address, place again', BOTH, (a) => ({
    written: { text: written(a), postcode: a.code, town: a.post },
  })),
  // A house of several units, without floor and door.
  kind('house', 'house as registered', ['house'], (a) => written(a)),
  kind('house', 'house with one typo', ['house'], (a, r, t) => typo(a, 1, r, t)),
  kind('house', 'house by its parts', ['house'], (a) => parts(a)),
  // Letters of the number.
  kind('letters', 'a letter forgotten', ACCESS, (a, _, truth) => {
    const number = /^(\d+)[A-Z]$/.exec(a.number)?.[1];
    const own = numbersOf(a, truth);
    const lettered = [...own].filter(
      (each) => each.startsWith(number ?? '?') && /^\D$/.test(each.slice((number ?? '?').length)),
    );
    return number === undefined || own.has(number) || lettered.length !== 1
      ? null
      : written(a, { start: `${a.road} ${number}` });
  }),
  kind('letters', 'a letter too many', ACCESS, (a, _, truth) =>
    plainNumber(a) === null || numbersOf(a, truth).has(`${a.number}F`)
      ? null
      : written(a, { start: `${a.road} ${a.number}F` }),
  ),
  kind('letters', 'l for 1', BOTH, (a) =>
    /^1\d/.test(a.number) ? written(a, { start: `${a.road} l${a.number.slice(1)}` }) : null,
  ),
  kind('letters', 'O for 0', BOTH, (a) =>
    /^\d0$/.test(a.number) ? written(a, { start: `${a.road} ${a.number[0]}O` }) : null,
  ),
  // Roads.
  kind('roads', 'a road with a number in it', BOTH, (a) => (/\d/.test(a.road) ? written(a) : null)),
  kind('roads', 'a road of many words', BOTH, (a) =>
    a.road.split(' ').length > 2 ? written(a).toLowerCase().replaceAll(',', '') : null,
  ),
  { ...kind('roads', 'a road that is not there', ACCESS, absentRoad), isAbsent: true },
];

/** All kinds: those of the first round, then those beyond. */
export const KINDS: readonly Kind[] = [...FIRST_KINDS, ...BEYOND, ...DRAWN, ...FORMS];
