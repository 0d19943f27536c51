/**
 * The kinds of ways in which people write addresses. Each takes an address and writes it in its way,
 * and says what of it is still told: that is the truth it is judged by. null: not of this address.
 */
import { BEYOND, DRAWN, FORMS } from './kinds-beyond.ts';
import type { Plain, Truth } from './truth.ts';
import {
  absent,
  ACCESS,
  below,
  BOTH,
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
  written,
} from './writing.ts';
import type { Kind, Random } from './writing.ts';

/** A typo that made another road of the country says another road: then it is no typo any more. */
function typo(a: Plain, times: number, random: Random, truth: Truth): string | null {
  let { road } = a;
  if (road.replace(/[^\p{L}]/gu, '').length < 4 + 2 * times) return null;
  for (let i = 0; i < times; i++) road = misspelt(road, random);
  if (truth.roadNames.has(road.toLowerCase())) return null;
  return written(a, { start: `${road} ${a.number}` });
}

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

const WAYS = `
  place | place | both | any | {c} ¦¦ {c}{p} ¦¦ {p} {c}
  country | place | both | any | DK-{c} {p} ¦¦ DK {c} {p} ¦¦ DK{c} {p}
  country | text | both | any | {w}, Danmark ¦¦ {w}, DENMARK ¦¦ {w}, DK ¦¦ {w} DK ¦¦ {w}, Fyn, Danmark
  country | text | both | any | {w}, Region Hovedstaden ¦ {w}, Region Syddanmark ¦ {w}, Sjælland ¦ {w}, Fyn ¦ {w}, Jylland
  floor and door | unit | unit | sided | {f}. sal {d} ¦¦ {f}.sal {x}.{y}. ¦¦ {f}{x}.{y}. ¦¦ {f}{d} ¦¦ {f}{s} ¦¦ {f}.sal.{d}
  floor and door | unit | unit | side | {f}. {x}.{y}. ¦¦ {f}. {x}.  {y}. ¦¦ {f}.{d} ¦¦ {f}-{d} ¦¦ {f}/{d} ¦¦ {f}.{s} ¦¦ {f}. {to}
  floor and door | unit | unit | side | {f}., {d} ¦¦ {f}. ({d})
  floor and door | unit | unit | ground | stuen {d}
  floor and door | unit | unit | numbered door | {f}. -{d} ¦¦ {f}.-{d} ¦¦ {f}. -{d4} ¦¦ {f}. d. {d} ¦¦ {f}. lejl. {d}
  floor and door | unit | unit | numbered | {f}. sal, dør {d} ¦¦ {f}. sal nr. {d} ¦¦ {f}-{d} ¦¦ {f}/{d} ¦¦ {f}. sal, lejl. nr. {d}
  floor and door | text | unit | side | {u}, {r} {n}, {tp}
  floor and door | text | unit | sided | {r} {n}/{f}{d}, {tp}
  floor and door | unit | unit | numbered floor | 0{f}. {d0}
  floor and door | text | unit | floor | {r} {n} {u}, {tp}
  number | start | access | plain number | {r} {n}-{o} ¦¦ {r} {n}/{m} ¦¦ {r} {n} - {m} ¦¦ {r} {n} og {m}
  number | start | access | letter A | {r} {n}-C
  number | start | both | any | {r} ({n}) ¦¦ {r} nr. {n} ¦¦ {r}, {n} ¦¦ {r} {n4}
  number | start | both | road ends in letter | {r}{n}
  number | start | both | road begins with letter | {n} {r}
  number | start | both | lettered | {r} {a} {bs}
  words | text | both | any | c/o Hansen, {w} ¦¦ Murermester Aksglæde ApS, {w} ¦¦ Att.: Jens Aksglæde{br}{w}
  words | text | both | any | {r} {n}, {u}, c/o Hansen, {c} {p}
  words | text | unit | floor | {r} {n}, bagbygningen, {u}, {c} {p} ¦¦ {r} {n}, opgang B, {u}, {c} {p} ¦¦ {r} {n} baghus, {u}, {c} {p}
`;

/** Those of the first round. */
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
  ...kindsIn(WAYS),
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
  absent(kind('roads', 'a road that is not there', ACCESS, absentRoad)),
];

/** All kinds: those of the first round, then those beyond. */
export const KINDS: readonly Kind[] = [...FIRST_KINDS, ...BEYOND, ...DRAWN, ...FORMS];
