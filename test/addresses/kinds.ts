/**
 * The kinds of ways in which people write addresses. Each takes an address and writes it in its way,
 * and says what of it is still told: that is the truth it is judged by. null: not of this address.
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
  isSided,
  kind,
  kindsIn,
  list,
  misspelt,
  numbersOf,
  parts,
  pick,
  place,
  plainNumber,
  several,
  UNIT,
  unitText,
  worded,
  written,
} from './writing.ts';
import type { Family, Kind, Random } from './writing.ts';

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

/*
 * Kinds that users of comparable services reported, or that tourists, scanners and spreadsheets write. `absent` kinds
 * mean nothing that stands in the register: a guess at most.
 */
type Make = (a: Plain, random: Random, truth: Truth) => string | null;

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

const WAYS_BEYOND = `
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

const BEYOND: readonly Kind[] = [
  ...[...kindsIn(NO_FLOORS).map(absent), PARTS_BELOW, ...kindsIn(WAYS_BEYOND), ...POINT_ZERO],
  ...SAL_TOWNS,
  ...[...NUMBERED, ...KINGS, GLUED_WHOLE, ...UNIT_WORDS, ...CUT_WORDS, ...MACHINE, ...ORDER],
];

/** Drawn anew after those above were read. */
const DRAWN_WAYS = `
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

const DRAWN_SIDES: Readonly<Record<string, string>> = {
  tv: 'venstr|vensre|vesntre|t.v.|t. v.|t/v|t-v|vestre|til v.|lejl. til venstre|på venstre side|venstre dør|dør: tv|vens',
  th: 'høre|hjøre|højer|hojre|h0jre|t.h.|t. h.|t/h|t-h|til h.|til hø.|dør til højre|høj.|til høyre|höjre|hoire|hajre|t h',
  mf: 'midtf.|midtfro|mitfor|mitten|midte|midt-for|m. f.|m/f|m-f|mid|i midt|lejl. i midten|midterste|midttfor',
};
const DRAWN_FLOORS: Readonly<Record<string, string>> = {
  st: 'stuen,|stuetage|stue.|i stuen,|stuern|stuene|stun|0.|0|stue-etage|stue etage|S.T.|stueetg.|st. sal|stuuen',
  kl: 'kældren|kjælder|kjælderen|KLD.|kæld.|kælder etage|kælder-etagen|i kælder|kølder|keldren|underetage|kælderlejl',
  1: '1ste sal|1. sla|1. sall|1. asl|1.etg.|1 etage|etage 1|etage: 1|sal 1|1.s.|på 1. sal|paa 1. sal|på første sal|føste sal|1:sal|førstesal|eta. 1|et. 1|etg. 1',
  2: '2den sal|2nden sal|2. sla|på 2. sal|på anden sal|2. et.|2 etg|ii.|andensal|etg. 2|2. sals|anden etage',
  3: '3die sal|3dje sal|på 3. sal|tredie sal|trejde sal|III. sal|iii.|3.etg.|3.s.|tredjesal|3de sal',
  4: '4de sal|på 4. sal|iv.|fjerde etage|4.s.|fjerdesal|fjere sal',
};

const sideIn = (name: string, start: string, fits = hasSide): Kind =>
  worded(name, DRAWN_SIDES, { of: 'door', fits, start });
const floorIn = (name: string, end: string, fits: (a: Plain) => boolean = () => true): Kind =>
  worded(name, DRAWN_FLOORS, { of: 'floor', fits, end });

const DRAWN_UNITS: readonly Kind[] = [
  sideIn('a side misspelt or cut', '{f}. '),
  sideIn('… behind sal', '{f}. sal ', isSided),
  sideIn('… without a blank', '{f}.'),
  sideIn('… behind sal and a comma', '{f}. sal, ', isSided),
  floorIn('a floor misspelt or spoken', ' {d}'),
  floorIn('… and a comma', ', {d}', (a) => a.door !== null && hasNumberedFloor(a)),
  floorIn('… and a side in words', ' til {s}', (a) => isSided(a) && a.door !== 'mf'),
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

const SCANS: readonly Kind[] = [
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

const DRAWN: readonly Kind[] = [...[...kindsIn(DRAWN_WAYS), ...DRAWN_UNITS, ...SCANS, ...TYPOS]];

const FORM_WAYS = `
  labels | text | access | plain road | vej={r}&nr={n}&postnr={c} ¦ vejnavn={r}&husnr={n}&postnr={c} ¦ ?vejnavn={r}&husnr={n}&postnr={c}&by={p} ¦ street={r}&number={n}&zip={c}&city={p} ¦ adresse={r} {n}&postnr={c} ¦ adgangsadresse={r} {n}&postnr={c}&postnrnavn={p} ¦ q={r} {n}, {c} {p}
  labels | text | access | plain road | vejnavn: {r} husnr: {n} postnr: {c} ¦ Vejnavn: {r}, Husnummer: {n}, Postnummer: {c}, By: {p} ¦ Adresse: {r} {n}, Postnr.: {c}, By: {p} ¦ gade: {r}{br}nr: {n}{br}postnr: {c}{br}by: {p} ¦ Street: {r} {n}, ZIP: {c}, City: {p} ¦ adr.: {r} {n}, {c} {p} ¦ Vej: {r} | Nr.: {n} | Postnr: {c} | By: {p} ¦ Vej: {r} {n} Postnr./by: {c} {p} ¦ Adresse: {r} {n}, {c} {p} ¦ Address: {r} {n}, {c} {p} ¦ Vejnavn og nr.: {r} {n}, Postnr. og by: {c} {p} ¦ Gade/vej: {r} {n}; Postnr: {c}; By: {p} ¦ Vejnavn : {r} Husnr : {n} Postnr : {c} ¦ Postnr: {c}, Vej: {r}, Nr: {n}
  labels | text | access | plain road | vejnavn={r};husnr={n};postnr={c} ¦ {"vejnavn":"{r}","husnr":"{n}","postnr":"{c}"} ¦ {"vejnavn": "{r}", "husnr": "{n}", "postnr": "{c}", "postnrnavn": "{p}"} ¦ vej={r}, nr={n}, postnr={c} ¦ vejnavn - {r}, husnr - {n}, postnr - {c} ¦ vejnavn {r} husnr {n} postnr {c} ¦ vejnavn="{r}" husnr="{n}" postnr="{c}" ¦ <vejnavn>{r}</vejnavn><husnr>{n}</husnr><postnr>{c}</postnr> ¦ vej = {r}, husnr = {n}, postnr = {c} {p} ¦ {r} {n} postnr. {c} ¦ {r} {n}, postnr {c} {p} ¦ {r} {n}, postnummer {c}, by {p}
  labels | text | unit | plain road, flat | vej={r}&nr={n}&etage={f}&dør={d}&postnr={c} ¦ vejnavn={r}&husnr={n}&etage={f}&d%C3%B8r={d}&postnr={c} ¦ vejnavn={r}&husnr={n}&etage={f}&doer={d}&postnr={c}&postnrnavn={p} ¦ street={r}&number={n}&floor={f}&door={d}&zip={c}
  labels | text | unit | plain road, flat | vejnavn: {r} husnr: {n} etage: {f} dør: {d} postnr: {c} ¦ Adresse: {r} {n}, Etage: {f}, Side: {d}, Postnr: {c} ¦ Vejnavn: {r}, Husnr.: {n}, Etage: {f}., Dør: {d}, Postnr.: {c}, By: {p} ¦ vej: {r}{br}nr: {n}{br}etage: {f}{br}side: {d}{br}postnr: {c}{br}by: {p} ¦ {"vejnavn":"{r}","husnr":"{n}","etage":"{f}","dør":"{d}","postnr":"{c}"} ¦ Street: {r}, No.: {n}, Floor: {f}, Door: {d}, Postal code: {c}, City: {p} ¦ Vejnavn: {r} Husnr.: {n} Sal: {f} Dør: {d} Postnr.: {c}
  labels | text | access | plain road | vejnavn={r}&husnr={n}&etage=&dør=&postnr={c} ¦ vejnavn: {r}, husnr: {n}, etage: , dør: , postnr: {c} ¦ vejnavn: {r} husnr: {n} etage: - dør: - postnr: {c} ¦ {"vejnavn":"{r}","husnr":"{n}","etage":null,"dør":null,"postnr":"{c}"} ¦ Vej: {r} {n}, Etage: -, Postnr: {c}
  labels | text | unit | plain road, flat | StrtNm: {r}, BldgNb: {n}, Flr: {f}, Room: {d}, PstCd: {c}, TwnNm: {p}, Ctry: DK ¦ <StrtNm>{r}</StrtNm><BldgNb>{n}</BldgNb><Flr>{f}</Flr><Room>{d}</Room><PstCd>{c}</PstCd><TwnNm>{p}</TwnNm>
  order | text | access | plain road | {r} {p} {n} {c} ¦ {r} {p} {n}, {c} ¦ {r}, {p} {n}, {c} ¦ {r}, {p}, {n}, {c} ¦ {r} ({p}) {n}, {c}
  order | text | access | plain road | {r} {c} {p} {n} ¦ {r}, {c} {p}, {n} ¦ {r} {p} {c} {n} ¦ {r}, {c} {p} nr. {n} ¦ {r}, {c} {p}, nr. {n}
  order | text | access | plain road | {c} {p}, {n} {r} ¦ {p} {c}, {n} {r} ¦ {c} {p} {n} {r} ¦ {n} {r} {c} {p} ¦ {n} {r} {p} {c} ¦ {n}, {r}, {p}, {c} ¦ {c} {n} {r} ¦ {p} {n} {r} {c}
  order | text | access | plain road | {p}, {r} {n}, {c} ¦ {p} {r} {n} {c} ¦ {c}, {r} {n}, {p} ¦ {c} {r} {n} {p} ¦ {c} {r} {n}, {p} ¦ {p}: {r} {n}, {c} ¦ {r} {n}, {c}, {p} ¦ {r} {n} ({c} {p}) ¦ {r} {n} / {c} {p}
  order | text | unit | plain road, sided | {c} {p}, {u}, {r} {n} ¦ {c} {p} {r} {n} {u} ¦ {u}, {n} {r}, {c} {p} ¦ {r} {n}, {c} {p}, {u} ¦ {r} {n}, {c} {p} {u} ¦ {r} {n} {c} {p}, {u} ¦ {p}, {r} {n}, {u}, {c} ¦ {r} {p} {n} {u} {c} ¦ {c} {p}, {n} {r}, {u} ¦ {r} {n} {c} {u} ¦ {d}, {f}. sal, {r} {n}, {c} {p} ¦ {f}. sal {d}, {r} {n}, {c} {p}
  unit words | unit | unit | spoken side | {ord} lejl. {s} ¦ {ord} lejlighed {s} ¦ {ord} lejl {d} ¦ {ord}, lejl. {s} ¦ {ord}, {s} ¦ {ord} {s} ¦ {ord} dør {s} ¦ {ord} lejl. til {s} ¦ {ord} {s} side ¦ {ord} {d}. ¦ lejl. {ord} {s} ¦ {s} {ord} ¦ {ord}/{s} ¦ {ord}-{d} ¦ {ord}, dør {d} ¦ {ord} bolig {s}
  unit words | unit | unit | sided | {f}. lejl. {s} ¦ {f} lejl {d} ¦ {f}. lejl {d}. ¦ lejlighed til {s} på {f}. sal ¦ {s} lejlighed, {f}. sal ¦ {f}. sal, {d}. lejl. ¦ {d} lejl. {f}. sal ¦ {f}. {d}. lejl. ¦ {f}. sal {d} lejlighed ¦ {f}. {s} lejl. ¦ lejl. {f}. {d} ¦ lejl. {f}.{d} ¦ lejl {f}{d} ¦ lejlighed {f} {d} ¦ lejl. {d} {f} ¦ {f}.sal.{d} ¦ {f}. sal lejl.{d} ¦ {f}. sal dør.{d} ¦ dør {f}. {d} ¦ bolig {f}. {d}
  unit words | unit | unit | ground side | stuelejl. {d} ¦ stuelejlighed {d} ¦ stuen lejl. {s} ¦ st. lejl. {d} ¦ lejl. st. {d} ¦ stue lejl {d} ¦ {s} stuelejlighed ¦ {d} i stuen ¦ {s} i stueetagen ¦ parterre {d} ¦ stuen, dør {d} ¦ st, {d} ¦ {d}, st. ¦ {d} st ¦ st.. {d}
  unit words | unit | unit | numbered | {f}. sal, lejl. nr. {d} ¦ lejl. nr. {d}, {f}. sal ¦ lejl. {d}, {f}. sal ¦ {f}. sal, lejl {d} ¦ {f}. sal - lejl. {d} ¦ {f}.sal lejl.{d} ¦ {f}. lejl.nr. {d} ¦ {f}., dør {d} ¦ {f}. sal dør {d} ¦ dør {d}, {f}. sal ¦ {f}. sal, nr. {d} ¦ {f}. sal nr {d} ¦ {f}. sal vær. {d} ¦ {f}. sal, værelse {d} ¦ {f}. sal, vær.nr. {d} ¦ {f}. sal, lok. {d} ¦ {f}. sal, lokale {d} ¦ {f}. sal, kollegieværelse {d} ¦ {f}. sal, bolig nr. {d}
  below ground | unit | unit | cellar side | kælder {d} ¦ kælder, {s} ¦ {d} i kælderen ¦ kl {d} ¦ kld. {s} ¦ kæld.lejl. {d} ¦ kælder lejl. {d} ¦ kælderlejlighed {s} ¦ -1 sal {d} ¦ -1. etage {d} ¦ -1 {d} ¦ minus 1 {d} ¦ etage -1 {d} ¦ sal -1 {d} ¦ floor -1 {d} ¦ kl.{d} ¦ kl/{d} ¦ kl-{d} ¦ {d}, kælderen
  English | unit | unit | sided | {nth} floor, {l} door ¦ {nth} floor {l} apartment ¦ {nth} floor, apartment {l} ¦ {nth} floor on the {l} ¦ {nth} floor, {l} side ¦ apartment {f} {l} ¦ apt. {f}{d} ¦ {nth} Fl., {l} ¦ floor {f}, door {l} ¦ floor no. {f}, {l} ¦ {nth} floor - {l} ¦ {nth} floor ({l}) ¦ {l} apartment, {nth} floor ¦ {nth} floor {d} ¦ {nth} floor flat {l} ¦ {nth} floor, the {l} door ¦ level {f}, {l} ¦ {nth} Etage {l} ¦ {f}. floor, {l}
  unit words | unit | unit | sided | {f} tr {d} ¦ {f} trappor, {d} ¦ {f}. OG {d} ¦ {f}. Stock, {d} ¦ vån {f} {d} ¦ {f} tr. {d}
  numbered roads | start | access | road ends in number | {r} hus {n} ¦ {r}, hus {n} ¦ {r}, hus nr. {n} ¦ {r} husnr. {n} ¦ {r} - nr. {n} ¦ {r} no. {n} ¦ {r}, husnummer {n} ¦ {r} (nr. {n}) ¦ {r}, nr.{n} ¦ {r}, #{n} ¦ {r} #{n}
  words | text | unit | plain road, flat | Møllers Tømrerfirma ApS, {r} {n}, {u}, {c} {p} ¦ Vestjysk Handel A/S{br}{r} {n}, {u}{br}{c} {p} ¦ Mona Kjærgaard, {r} {n}, {u}, {c} {p} ¦ Att. Jens P. Hansen, {r} {n}, {u}, {c} {p} ¦ c/o Ida Bech{br}{r} {n}, {u}{br}{c} {p} ¦ Café Kompas v/Ole Lund, {r} {n}, {u}, {c} {p} ¦ Frisør Klip I/S {r} {n}, {u}, {c} {p}
  words | text | unit | plain road, flat | {r} {n}, {u}, {c} {p}, tlf. 23456789 ¦ {r} {n}, {u} tlf. 23 45 67 89, {c} {p} ¦ {r} {n}, {u}, c/o Ida Bech, {c} {p} ¦ {r} {n}, {u}, {c} {p} (XL Byg ApS) ¦ {r} {n}, {u}, {c} {p}, CVR-nr. 23456789 ¦ {r} {n}, {u}, {c} {p}{br}E-mail: a@b.dk{br}www.b.dk ¦ {r} {n}, {u}, {c} {p}, +45 2345 6789
`;

/** The house of each is the first of several. */
const SEVERAL = `
  written numbers | start | access | row of houses | {r} {n}ff ¦¦ {r} {n} ff ¦¦ {r} {n} ff. ¦¦ {r} {n}ff. ¦¦ {r} {n} f.f. ¦¦ {r} {n} m.fl. ¦¦ {r} {n} mfl. ¦¦ {r} {n} m. fl. ¦¦ {r} {n} flg. ¦¦ {r} {n} og flg. ¦¦ {r} {n} osv. ¦¦ {r} {n} etc. ¦¦ {r} {n}+
  written numbers | start | access | row of houses | {r} {n}, {m} og {o} ¦¦ {r} {n}, {m} & {o} ¦¦ {r} {n},{m},{o} ¦¦ {r} {n}, {m}, {o} ¦¦ {r} nr. {n}, {m} og {o} ¦¦ {r} {n} og {m} og {o} ¦¦ {r} {n}, {m} samt {o} ¦¦ {r} {n} & {m} & {o} ¦¦ {r} {n}, {m} eller {o} ¦¦ {r} {n}; {m}; {o} ¦¦ {r} {n}, {m} + {o} ¦¦ {r} {n} og {m}-{o}
  written numbers | start | access | row from 9 | {r} {n}, {m}-{o} ¦¦ {r} {n} + {m}-{o} ¦¦ {r} nr. {n}, {m}-{o}
  written numbers | start | access | row of houses | {r} {n} & {m} ¦¦ {r} {n} og {m} ¦¦ {r} {n}+{m} ¦¦ {r} nr. {n} og {m} ¦¦ {r} nr. {n} og nr. {m} ¦¦ {r} {n} og nr. {m} ¦¦ {r} {n} samt {m} ¦¦ {r} {n} and {m} ¦¦ {r} {n}&{m} ¦¦ {r} {n} til og med {m} ¦¦ {r} {n} t/m {m} ¦¦ {r} {n} - {o} (lige numre) ¦¦ {r} {n}-{o} lige nr. ¦¦ {r} fra {n} til {m}
  written numbers | start | access | letter A to D | {r} {n} og Y ¦¦ {r} {n} + Y ¦¦ {r} {n}/Y ¦¦ {r} {n} & Y ¦¦ {r} {n}-Y ¦¦ {r} {n}+Y
  written numbers | start | access | plain road, row from 9 | {n}-{o} {r} ¦¦ {n} og {m} {r} ¦¦ {n}ff {r} ¦¦ {n}+{m} {r} ¦¦ {n} & {m} {r} ¦¦ nr. {n} og {m} {r} ¦¦ {n}/{m} {r}
`;

const cutRoad = (name: string, pattern: RegExp, ways: readonly string[]): Kind =>
  kind('cut words', name, BOTH, (a, random, truth) => {
    const road = a.road.replace(pattern, pick(ways, random));
    if (road === a.road || truth.roadNames.has(road.toLowerCase())) return null;
    const there = [...truth.roadsOf.get(a.code)!];
    const isOne = there.filter((name) => name.startsWith(road.toLowerCase())).length < 2;
    return isOne ? written(a, { start: `${road} ${a.number}` }) : null;
  });

/** A word of several cut to three letters or more. */
const CUT_WORD: Kind = kind('cut words', 'a word cut without a stop', BOTH, (a, random, truth) => {
  const words = a.road.split(' ');
  const long = words.flatMap((word, i) => (/^\p{Lu}?\p{Ll}{5,}$/u.test(word) ? [i] : []));
  if (long.length === 0) return null;
  const at = pick(long, random);
  const least = words.length < 2 ? 5 : 3;
  const cut = words[at]!.slice(0, Math.max(least, Math.floor(random() * words[at]!.length)));
  const road = words.with(at, cut).join(' ');
  return sameCut(a, words.with(at, `${cut}.`).join(' '), truth) > 1 ||
    truth.roadNames.has(road.toLowerCase())
    ? null
    : written(a, { start: `${road} ${a.number}` });
});

const FORMS: readonly Kind[] = [
  ...kindsIn(FORM_WAYS),
  ...kindsIn(SEVERAL).map(several),
  cutRoad('Nørrebrog', /(?<=\p{Ll}{3})gade$/u, ['g', 'gad', 'gd', 'ga']),
  cutRoad('Strandv', /(?<=\p{Ll}{3})vej(en)?$/u, ['v', 've', 'vj']),
  cutRoad('Pilestr', /(?<=\p{Ll}{3})stræde$/u, ['str', 'stræd', 'strd', 'stræ', 'st']),
  cutRoad('Finsens Al', /(?<= )All[eé]$/u, ['Al', 'All', 'Allè']),
  cutRoad('Niels Bohrs V', /(?<= )Vej$/u, ['V']),
  cutRoad('Solvænget', /(?<=\p{Ll}{3})vænget$/u, ['væng', 'vg', 'vænge', 'vgt', 'vænget']),
  CUT_WORD,
  absent(
    kind('words', 'another road before it', ACCESS, (a, random, truth) => {
      const other = pick([...truth.roadNames], random);
      return a.road.toLowerCase() === other || /\d/.test(other) ? null : `${other}, ${written(a)}`;
    }),
  ),
];

export const KINDS: readonly Kind[] = [...FIRST_KINDS, ...BEYOND, ...DRAWN, ...FORMS];
