/**
 * Reads an address as somebody wrote it. A text can often be read in more than one way (`12, 2` may
 * be a floor or a door), so what comes out is a short list of readings; the index decides.
 */
import { normalHouseNumber } from '../layers/address-text.ts';
import { COUNTRY, REGIONS } from '../names/abbreviations.ts';
import { chunksOf, placesOf, wordsOf } from './chunks.ts';
import type { Chunk } from './chunks.ts';
import { normalize } from '../names/normalize.ts';
import { isFloor, isUnitPart, readTail } from './tail.ts';
import type { Tail } from './tail.ts';
import { townOf } from './place-fit.ts';

export interface Reading {
  /** As it was written; empty when there is none. */
  readonly road: string;
  readonly houseNumber: string | null;
  readonly floor: string | null;
  readonly door: string | null;
  /** Four digits, whether or not there is such a postcode. */
  readonly postcode: string | null;
  /** Towns and what else is left, each comma's part by itself, folded; the one after the postcode first. */
  readonly places: readonly string[];
  /** Words of `places` as they were written, by their folded form. */
  readonly spelling: ReadonlyMap<string, string>;
  /**
   * `plain`: as it stands. `rare`: a way few mean, held against what is exactly so alone. `mended`:
   * a letter that was a digit, a word spelt wrong; B at most. `guessed`: what may as well be as it
   * stands, `1B` for 18; `one of several`: of `23-27` the 23; both C at most.
   */
  readonly way: HouseWay;
}

export type HouseWay = 'plain' | 'rare' | 'mended' | 'guessed' | 'one of several';

/** Ways of reading one text that are tried. */
const MOST_READINGS = 16;

/** Folded words of a reading's places as they were written. */
export function asWritten(folded: string, { spelling }: Pick<Reading, 'spelling'>): string {
  const whole = spelling.get(folded);
  if (whole !== undefined) return whole;
  return folded
    .split(' ')
    .map((word) => spelling.get(word) ?? word)
    .join(' ');
}

/** What the reader asks of the index. */
export interface KnownPlaces {
  /** Folded name of a postcode; null when there is none of that code. */
  postcodeName(code: string): string | null;
  /** Whether a postcode's town begins the way the folded text does. */
  isTownStart(folded: string): boolean;
}

/** Ways to read a text, the likeliest first. */
export function readText(text: string, known: KnownPlaces): readonly Reading[] {
  const chunks = withoutCountry(chunksOf(text), known);
  const spelling = new Map(chunks.map((chunk) => [chunk.folded, chunk.text]));
  const posts = [findPostcode(chunks, known)];
  const other = otherPostcode(chunks, posts[0]!, known);
  if (other !== null) posts.push(other);
  const found = posts.flatMap((post) => {
    const rest = restOf(chunks, post);
    return housesOf(rest).flatMap((house) => withTails(house, { rest, post, spelling }));
  });
  // What takes every word as it stands comes before what mends one.
  const plain = found.filter(({ isMended }) => !isMended);
  const mended = found.filter(({ isMended }) => isMended);
  const readings = [...plain, ...mended].slice(0, MOST_READINGS).map(({ reading }) => reading);
  if (readings.some(({ way }) => way !== 'rare' && way !== 'guessed')) return readings;
  // What only a rare way explains may be a road without a number.
  return [...readings, roadAlone(restOf(chunks, posts[0]!), posts[0]!, spelling)];
}

interface Context {
  /** The words without postcode and town. */
  readonly rest: readonly Chunk[];
  readonly post: PostcodeFound;
  readonly spelling: Reading['spelling'];
}

/** A house number with each way to read what stands around it. */
function withTails(
  house: HouseFound,
  { rest, post, spelling }: Context,
): readonly { readonly reading: Reading; readonly isMended: boolean }[] {
  const before = rest.slice(0, house.from);
  // `2. tv, Nørregade 12`.
  const isUnitFirst = before.length > 0 && isUnitPart(before, 0);
  const lead = isUnitFirst ? before.filter(({ part }) => part === before[0]!.part) : [];
  const behind = house.tail ?? rest.slice(house.after);
  return readTail([...lead, ...behind]).map((tail: Tail) => {
    const reading = {
      road: wordsOf(rest.slice(house.roadFrom, house.at)),
      houseNumber: house.houseNumber,
      floor: tail.floor,
      door: tail.door,
      postcode: post.code,
      places: [...post.places, ...placesOf([...before.slice(lead.length), ...tail.left])],
      spelling,
      way: isMendable(house.way) && (tail.isMended || post.isMended) ? 'mended' : house.way,
    } as const;
    return { reading, isMended: tail.isMended };
  });
}

/** A way that is surer than `mended`. */
const isMendable = (way: HouseWay): boolean => way === 'plain' || way === 'rare';

/** The first part as a road without a number: `Ring 4` where no other way finds anything. */
export function readRoadAlone(text: string, known: KnownPlaces): Reading {
  const chunks = withoutCountry(chunksOf(text), known);
  const post = findPostcode(chunks, known);
  const rest = restOf(chunks, post);
  return roadAlone(rest, post, new Map(chunks.map((chunk) => [chunk.folded, chunk.text])));
}

function roadAlone(
  rest: readonly Chunk[],
  post: PostcodeFound,
  spelling: Reading['spelling'],
): Reading {
  const firstPart = rest.filter(({ part }) => part === rest[0]?.part);
  const places = [...post.places, ...placesOf(rest.slice(firstPart.length))];
  const nothing = { houseNumber: null, floor: null, door: null };
  const road = wordsOf(firstPart);
  return { road, ...nothing, postcode: post.code, places, spelling, way: 'plain' };
}

/** The country says nothing here, nor does a region in the last part. */
export function withoutCountry(chunks: readonly Chunk[], known: KnownPlaces): readonly Chunk[] {
  const kept = withoutLastCountry(chunks).filter(({ part, folded }, i, all) => {
    const isAlone = all[i - 1]?.part !== part && all[i + 1]?.part !== part;
    return i === 0 || !isAlone || !COUNTRY.has(folded);
  });
  const last = kept.at(-1);
  if (last === undefined || last.part === kept[0]!.part) return kept;
  const words = kept.filter(({ part }) => part === last.part).map(({ folded }) => folded);
  const isRegion = REGIONS.has(words.join(' ')) && !known.isTownStart(words.join(' '));
  return isRegion ? kept.slice(0, -words.length) : kept;
}

function withoutLastCountry(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.length > 2 && COUNTRY.has(chunks.at(-1)!.folded) ? chunks.slice(0, -1) : chunks;
}

interface PostcodeFound {
  readonly code: string | null;
  /** Letters in it were read as digits. */
  readonly isMended: boolean;
  /** The chunks it takes with its town. */
  readonly from: number;
  readonly to: number;
  readonly places: readonly string[];
}

const NO_POSTCODE = { code: null, isMended: false, places: [] } as const;

/** The last four digits that are a postcode, else the last four digits that can be one. */
export function findPostcode(chunks: readonly Chunk[], known: KnownPlaces): PostcodeFound {
  let at = -1;
  for (const [i, { folded }] of chunks.entries()) {
    if (!/^\d{4}$/.test(folded)) continue;
    const isKnown = known.postcodeName(folded) !== null;
    if (at < 0 || isKnown || known.postcodeName(chunks[at]!.folded) === null) at = i;
  }
  if (at >= 0) return postcodeAt(chunks, { at, code: chunks[at]!.folded, isMended: false }, known);
  for (const [i, { text }] of chunks.entries()) {
    if (!MISREAD_POSTCODE.test(text)) continue;
    const code = asDigits(text);
    if (known.postcodeName(code) !== null)
      return postcodeAt(chunks, { at: i, code, isMended: true }, known);
  }
  return { ...NO_POSTCODE, from: chunks.length, to: chunks.length };
}

const restOf = (chunks: readonly Chunk[], { from, to }: PostcodeFound): readonly Chunk[] =>
  chunks.filter((_, i) => i < from || i >= to);

/**
 * `2605 Brøndby Nord Vej 109`: a road that begins as its town is called; `Haveforeningen af 1918 12`: four
 * digits that are no postcode. null: the postcode is what it seems.
 */
function otherPostcode(
  chunks: readonly Chunk[],
  { code, from, to, isMended }: PostcodeFound,
  known: KnownPlaces,
): PostcodeFound | null {
  const next = chunks[to];
  if (code === null || next === undefined) return null;
  if (from === 0 && to > 1) return { code, isMended, from, to: 1, places: [] };
  const isNumber = known.postcodeName(code) === null && /^\d/.test(next.folded);
  return isNumber && from > 0 ? { ...NO_POSTCODE, from: chunks.length, to: chunks.length } : null;
}

/** `5OOO`, `S000`, `2l00`: a letter or two of four were digits. */
const MISREAD_POSTCODE = /^(?=.*\d.*\d)(?=.*[a-z|])[\dlioz|sb]{4}$/i;
const DIGITS: Readonly<Record<string, string>> = {
  ...{ l: '1', i: '1', '|': '1', o: '0', s: '5', b: '8', z: '2' },
};
const asDigits = (text: string): string =>
  text.toLowerCase().replace(/[lioz|sb]/g, (letter) => DIGITS[letter]!);

function postcodeAt(
  chunks: readonly Chunk[],
  {
    at,
    code,
    isMended,
  }: { readonly at: number; readonly code: string; readonly isMended: boolean },
  known: KnownPlaces,
): PostcodeFound {
  const to = endOfTown(chunks, { at, name: known.postcodeName(code) }, known);
  const town = chunks.slice(at + 1, to).map(({ folded }) => folded);
  const places = town.length === 0 ? [] : [town.join(' ')];
  return { code, isMended, from: at, to, places };
}

/** The town behind a postcode: as many words as its name has, else up to a comma or a number. */
function endOfTown(
  chunks: readonly Chunk[],
  { at, name }: { readonly at: number; readonly name: string | null },
  known: KnownPlaces,
): number {
  const part = chunks[at]!.part;
  const words = name?.split(' ') ?? [];
  if (words.every((word, i) => chunks[at + 1 + i]?.folded === word)) return at + 1 + words.length;
  let to = at + 1;
  while (to < chunks.length && chunks[to]!.part === part && !/^\d/.test(chunks[to]!.folded))
    to += 1;
  // `1068 Nikolajgade 15`: of the words before the house number those that are the town.
  const isRoadNext = at === 0 && /^\d/.test(chunks[to]?.folded ?? '');
  return isRoadNext ? at + 1 + townWords(chunks.slice(at + 1, to), name ?? '', known) : to;
}

/** How many of the words before a road and its number are a town, most often none. */
function townWords(words: readonly Chunk[], name: string, known: KnownPlaces): number {
  for (let n = words.length - 1; n > 0; n--) {
    const town = townOf(
      words
        .slice(0, n)
        .map(({ folded }) => folded)
        .join(' '),
    );
    if (town === name || name.startsWith(`${town} `)) return n;
  }
  const [first] = words;
  // A town of its own before a comma and the road: `5000 Odense, 12 Vestergade`.
  return words.length === 1 && known.isTownStart(townOf(first!.folded)) ? 1 : 0;
}

export interface HouseFound {
  readonly houseNumber: string;
  /** Where what it takes begins: the road, or the number before it. */
  readonly from: number;
  readonly roadFrom: number;
  /** Where the road ends. */
  readonly at: number;
  readonly after: number;
  /** What follows, where that is not what stands from `after` on. */
  readonly tail?: readonly Chunk[];
  readonly way: HouseWay;
}

const NUMBER = /^0*\d{1,4}[a-zæøå]?$/i;
/** `23-27`, `23/25`, `23A-C`. */
const RANGE = /^(\d{1,3})([a-zæøå]?)([-–/+&_])(\d{0,3})([a-zæøå]?)$/i;
/** `l8`, `1O`: letters that were digits. */
const MISREAD = /^(?=.*\d)[lioIO|\d]{2,3}[a-hA-H]?$/;
/** `1S`, `2B`, `S6A`: letters that may be digits or the house's own. */
const MAYBE_MISREAD = /^(?=.*[sSB])(?:(?=.*\d)[sSBlioIO|\d]{1,3}[a-hA-H]?|[SB]{2})$/;

/** Words of floors and doors: `st. 1` is no road with its number. */
const UNIT_WORDS = new Set([
  ...['st', 'stuen', 'kl', 'kld', 'kaelder', 'tv', 'th', 'mf', 'venstre', 'hoejre', 'midtfor'],
  ...['sal', 'etage', 'lejl', 'lejlighed', 'doer', 'vaer', 'vaerelse'],
]);
/** Words of a road behind its number that are looked at. */
const MOST_ROAD_WORDS = 6;

interface NumberFound {
  readonly houseNumber: string;
  readonly way: HouseWay;
  /** A floor or door glued to it. */
  readonly unit?: string;
}

/** What house numbers a word may be. */
function numbersIn(text: string): readonly NumberFound[] {
  const found: NumberFound[] = [];
  const plain = NUMBER.test(text) ? normalHouseNumber(text) : null;
  if (plain !== null && plain.replace(/\D/g, '').length <= 3) {
    found.push({ houseNumber: plain, way: 'plain' });
  }
  found.push(...rangeIn(text));
  if (MISREAD.test(text) && /[lioIO|]/.test(text)) {
    const digits = text.replace(/[liI|]/g, '1').replace(/[oO]/g, '0');
    const mended = normalHouseNumber(digits);
    if (mended !== null) found.push({ houseNumber: mended, way: 'mended' });
  }
  if (MAYBE_MISREAD.test(text)) {
    const [, digits = '', letter = ''] = /^([sSBlioIO|\d]+)(.?)$/.exec(text) ?? [];
    const mended = normalHouseNumber(asDigits(digits) + letter);
    if (mended !== null) found.push({ houseNumber: mended, way: 'guessed' });
  }
  // `128` where there is none: 12B.
  else if (/^[1-9]\d{0,2}8$/.test(text)) {
    found.push({ houseNumber: `${text.slice(0, -1)}B`, way: 'guessed' });
  }
  return found;
}

/** `23-27` and `23A-C` are several houses; `42-A` is a letter, unless there is a 42 as well. */
function rangeIn(text: string): readonly NumberFound[] {
  const [, first = '', letter = '', sign = '', last = '', lastLetter = ''] = RANGE.exec(text) ?? [];
  if (first === '' || last + lastLetter === '') return [];
  const from = normalHouseNumber(first + letter)!;
  const to = normalHouseNumber((last || first) + lastLetter)!;
  const several = (houseNumber: string): NumberFound => ({ houseNumber, way: 'one of several' });
  if (last === '' && letter === '' && sign !== '+') {
    return [{ houseNumber: to, way: 'rare' }, several(from)];
  }
  const isRange = last === '' || Number(last) > Number(first);
  const both = isRange ? [several(from), several(to)] : [];
  if (last === '') return both;
  const way = isRange ? 'rare' : 'plain';
  return [...both, { houseNumber: from, way, unit: last + lastLetter }];
}

/** Each number that has words before it in its part, then those before their road; likeliest first. */
export function housesOf(chunks: readonly Chunk[]): readonly HouseFound[] {
  const found: HouseFound[] = [];
  for (const [i, chunk] of chunks.entries()) {
    for (const number of numbersIn(chunk.text)) found.push(...housesAt(chunks, i, number));
  }
  for (const [i, chunk] of chunks.entries()) {
    const [number] = numbersIn(chunk.text);
    const house = number === undefined ? null : houseBeforeRoad(chunks, i, number);
    if (house !== null) found.push(house);
  }
  return found;
}

function housesAt(chunks: readonly Chunk[], i: number, number: NumberFound): HouseFound[] {
  const chunk = chunks[i]!;
  let roadFrom = i;
  while (roadFrom > 0 && chunks[roadFrom - 1]!.part === chunk.part) roadFrom -= 1;
  const isNumbered = isFiller(chunks[i - 1]) && chunks[i - 1]!.part === chunk.part;
  // `Nørregade, 12` and `Vej 1, nr. 2`: the number has a comma to itself.
  const isAlone = roadFrom === (isNumbered ? i - 1 : i) && roadFrom > 0;
  let isRare = false;
  if (isAlone && !chunk.hasStop) {
    const road = chunks[roadFrom - 1]!;
    isRare = !/[a-z]/.test(road.folded);
    while (roadFrom > 0 && chunks[roadFrom - 1]!.part === road.part) roadFrom -= 1;
  }
  const hasWords = chunks
    .slice(roadFrom, i)
    .some(({ folded }) => /[a-z]{2}/.test(folded) && !UNIT_WORDS.has(folded));
  if (!hasWords) return [];
  const { houseNumber, unit } = number;
  // `Vej 1, 2` is a floor of Vej 1 as well.
  const way = isRare && number.way === 'plain' ? 'rare' : number.way;
  const start = { from: roadFrom, roadFrom, way };
  if (unit !== undefined) {
    const glued = { ...chunk, text: unit, folded: normalize(unit) };
    const tail = [glued, ...chunks.slice(i + 1)];
    return [{ ...start, houseNumber, at: i, after: i + 1, tail }];
  }
  const found: HouseFound[] = [];
  // `12 A-C`.
  const letters = /^([a-zæøå])[-/+][a-zæøå]$/i.exec(chunks[i + 1]?.text ?? '')?.[1];
  if (letters !== undefined && /^\d+$/.test(houseNumber)) {
    const several = { ...start, houseNumber: houseNumber + letters.toUpperCase(), at: i };
    found.push({ ...several, after: i + 2, way: 'one of several' });
  }
  const letter = letterAfter(chunks, i);
  for (const at of isNumbered && i - roadFrom > 1 ? [i - 1, i] : [i]) {
    // `Vej 10 Nr` is a road as well.
    const own = isNumbered && at === i ? { ...start, way: 'rare' as const } : start;
    if (letter !== null)
      found.push({ ...own, houseNumber: houseNumber + letter, at, after: i + 2 });
    found.push({ ...own, houseNumber, at, after: i + 1 });
  }
  return found;
}

const isFiller = (chunk: Chunk | undefined): boolean =>
  chunk !== undefined && /^(nr|no|nummer)$/.test(chunk.folded);

/** `26 Møllemarksvej, 2. tv`, `26, Møllemarksvej`, `8 Ring 4`. */
function houseBeforeRoad(
  chunks: readonly Chunk[],
  i: number,
  { houseNumber, unit }: NumberFound,
): HouseFound | null {
  const chunk = chunks[i]!;
  const isFirst = i === 0 || chunks[i - 1]!.part !== chunk.part;
  if (!isFirst || chunk.hasStop || unit !== undefined) return null;
  const from = i + 1;
  const part = chunks[from]?.part;
  // A number alone in its part belongs to a road only where it begins the text.
  if (part === undefined || (part !== chunk.part && i > 0)) return null;
  let to = from;
  while (
    to < chunks.length &&
    to < from + MOST_ROAD_WORDS &&
    chunks[to]!.part === part &&
    /^[a-z]/.test(chunks[to]!.folded) &&
    !(to > from && isFloor(chunks[to]!, chunks[to + 1]))
  ) {
    to += 1;
  }
  if (!chunks.slice(from, to).some(({ folded }) => /[a-z]{3}/.test(folded))) return null;
  const isNumbered = isNumberAtEnd(chunks, to, part);
  // `26, Møllemarksvej 4` is number 4.
  if (part !== chunk.part && (isNumbered || chunks[to]?.part === part)) return null;
  const end = isNumbered ? to + 1 : to;
  return { houseNumber, from: i, roadFrom: from, at: end, after: end, way: 'rare' };
}

/** The number of a road by its name, `Ring 4`, and nothing behind it in its part. */
function isNumberAtEnd(chunks: readonly Chunk[], at: number, part: number): boolean {
  const chunk = chunks[at];
  if (chunk?.part !== part || chunk.hasStop || !/^\d{1,3}$/.test(chunk.folded)) return false;
  return chunks[at + 1]?.part !== part;
}

/** `12 A`: a letter by itself behind a bare number, in the same part. */
function letterAfter(chunks: readonly Chunk[], i: number): string | null {
  const next = chunks[i + 1];
  if (next?.part !== chunks[i]!.part || !/^\d+$/.test(chunks[i]!.text)) return null;
  return /^[a-zæøå]$/i.test(next.text) ? next.text.toUpperCase() : null;
}
