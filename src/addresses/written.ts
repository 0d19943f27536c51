/**
 * Reads an address as somebody wrote it. A text can often be read in more than one way (`12, 2` may
 * be a floor or a door), so what comes out is a short list of readings; the index decides.
 */
import { normalDoor, normalFloor, normalHouseNumber } from '../layers/address-text.ts';
import { BUILDINGS, COUNTRY, REGIONS } from '../names/abbreviations.ts';
import { chunksOf, placesOf, wordsOf } from './chunks.ts';
import type { Chunk } from './chunks.ts';
import { normalize } from '../names/normalize.ts';

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
   * a digit that was read as a letter; B at most. `one of several`: of `23-27` the 23; C at most.
   */
  readonly way: HouseWay;
}

export type HouseWay = 'plain' | 'rare' | 'mended' | 'one of several';

/** Ways of reading one text that are tried. */
const MOST_READINGS = 12;

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
  const post = findPostcode(chunks, known);
  const rest = chunks.filter((_, i) => i < post.from || i >= post.to);
  const spelling = new Map(chunks.map((chunk) => [chunk.folded, chunk.text]));
  const readings: Reading[] = [];
  for (const house of housesOf(rest)) {
    const before = rest.slice(0, house.from);
    // `2. tv, Nørregade 12`.
    const isUnitFirst = before.length > 0 && isUnitPart(before, 0);
    const lead = isUnitFirst ? before.filter(({ part }) => part === before[0]!.part) : [];
    const behind = house.tail ?? rest.slice(house.after);
    for (const tail of readTail([...lead, ...behind])) {
      readings.push({
        road: wordsOf(rest.slice(house.roadFrom, house.at)),
        houseNumber: house.houseNumber,
        floor: tail.floor,
        door: tail.door,
        postcode: post.code,
        places: [...post.places, ...placesOf([...before.slice(lead.length), ...tail.left])],
        spelling,
        way: house.way,
      });
      if (readings.length >= MOST_READINGS) return readings;
    }
  }
  if (readings.some(({ way }) => way !== 'rare')) return readings;
  // What only a rare way explains may be a road without a number.
  return [...readings, roadAlone(rest, post, spelling)];
}

/** The first part as a road without a number: `Ring 4` where no other way finds anything. */
export function readRoadAlone(text: string, known: KnownPlaces): Reading {
  const chunks = withoutCountry(chunksOf(text), known);
  const post = findPostcode(chunks, known);
  const rest = chunks.filter((_, i) => i < post.from || i >= post.to);
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
  /** The chunks it takes with its town. */
  readonly from: number;
  readonly to: number;
  readonly places: readonly string[];
}

/** The last four digits that are a postcode, else the last four digits that can be one. */
export function findPostcode(chunks: readonly Chunk[], known: KnownPlaces): PostcodeFound {
  let at = -1;
  for (const [i, { folded }] of chunks.entries()) {
    if (!/^\d{4}$/.test(folded)) continue;
    const isKnown = known.postcodeName(folded) !== null;
    if (at < 0 || isKnown || known.postcodeName(chunks[at]!.folded) === null) at = i;
  }
  const found = chunks[at];
  if (found === undefined) {
    return { code: null, from: chunks.length, to: chunks.length, places: [] };
  }
  const to = endOfTown(chunks, { at, name: known.postcodeName(found.folded) });
  const town = chunks.slice(at + 1, to).map(({ folded }) => folded);
  const places = town.length === 0 ? [] : [town.join(' ')];
  return { code: found.folded, from: at, to, places };
}

/** The town behind a postcode: as many words as its name has, else up to a comma or a number. */
function endOfTown(
  chunks: readonly Chunk[],
  { at, name }: { readonly at: number; readonly name: string | null },
): number {
  const part = chunks[at]!.part;
  const words = name?.split(' ') ?? [];
  if (words.every((word, i) => chunks[at + 1 + i]?.folded === word)) return at + 1 + words.length;
  let to = at + 1;
  while (to < chunks.length && chunks[to]!.part === part && !/^\d/.test(chunks[to]!.folded))
    to += 1;
  return to;
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

const NUMBER = /^\d{1,4}[a-zæøå]?$/i;
/** `23-27`, `23/25`, `23A-C`. */
const RANGE = /^(\d{1,3})([a-zæøå]?)[-–/+&](\d{0,3})([a-zæøå]?)$/i;
/** `l8`, `1O`: letters that were digits. */
const MISREAD = /^(?=.*\d)[lioIO|\d]{2,3}[a-hA-H]?$/;
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
  const [, first = '', letter = '', last = '', lastLetter = ''] = RANGE.exec(text) ?? [];
  if (first !== '' && last + lastLetter !== '') {
    const from = normalHouseNumber(first + letter)!;
    const to = normalHouseNumber((last || first) + lastLetter)!;
    const isRange = last === '' || Number(last) > Number(first);
    if (isRange) found.push({ houseNumber: from, way: 'one of several' });
    if (isRange) found.push({ houseNumber: to, way: 'one of several' });
    if (last !== '') {
      found.push({ houseNumber: from, way: isRange ? 'rare' : 'plain', unit: last + lastLetter });
    }
  }
  if (MISREAD.test(text) && /[lioIO|]/.test(text)) {
    const digits = text.replace(/[liI|]/g, '1').replace(/[oO]/g, '0');
    const mended = normalHouseNumber(digits);
    if (mended !== null) found.push({ houseNumber: mended, way: 'mended' });
  }
  return found;
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
  // `Nørregade, 12`: the number has a comma to itself.
  if (roadFrom === i && i > 0 && /[a-z]/.test(chunks[i - 1]!.folded)) {
    roadFrom -= 1;
    while (roadFrom > 0 && chunks[roadFrom - 1]!.part === chunks[i - 1]!.part) roadFrom -= 1;
  }
  const hasWords = chunks
    .slice(roadFrom, i)
    .some(({ folded }) => /[a-z]{2}/.test(folded) && !UNIT_WORDS.has(folded));
  if (!hasWords) return [];
  const { houseNumber, way, unit } = number;
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
  const isFiller = /^(nr|no|nummer)$/.test(chunks[i - 1]!.folded) && i - roadFrom > 1;
  const letter = letterAfter(chunks, i);
  for (const at of isFiller ? [i - 1, i] : [i]) {
    // `Vej 10 Nr` is a road as well.
    const own = isFiller && at === i ? { ...start, way: 'rare' as const } : start;
    if (letter !== null)
      found.push({ ...own, houseNumber: houseNumber + letter, at, after: i + 2 });
    found.push({ ...own, houseNumber, at, after: i + 1 });
  }
  return found;
}

/** `26 Møllemarksvej, 2. tv`. */
function houseBeforeRoad(
  chunks: readonly Chunk[],
  i: number,
  { houseNumber, unit }: NumberFound,
): HouseFound | null {
  const chunk = chunks[i]!;
  const isFirst = i === 0 || chunks[i - 1]!.part !== chunk.part;
  if (!isFirst || chunk.hasStop || unit !== undefined) return null;
  const from = i + 1;
  let to = from;
  while (
    to < chunks.length &&
    to < from + MOST_ROAD_WORDS &&
    chunks[to]!.part === chunk.part &&
    /^[a-z]/.test(chunks[to]!.folded) &&
    !(to > from && isFloor(chunks[to]!, chunks[to + 1]))
  ) {
    to += 1;
  }
  if (!chunks.slice(from, to).some(({ folded }) => /[a-z]{3}/.test(folded))) return null;
  return { houseNumber, from: i, roadFrom: from, at: to, after: to, way: 'rare' };
}

/** `12 A`: a letter by itself behind a bare number, in the same part. */
function letterAfter(chunks: readonly Chunk[], i: number): string | null {
  const next = chunks[i + 1];
  if (next?.part !== chunks[i]!.part || !/^\d+$/.test(chunks[i]!.text)) return null;
  return /^[a-zæøå]$/i.test(next.text) ? next.text.toUpperCase() : null;
}

export interface Tail {
  readonly floor: string | null;
  readonly door: string | null;
  /** The floor is a number by itself, which may be a door. */
  readonly isLone: boolean;
  readonly left: readonly Chunk[];
}

const FLOOR_FILLERS = new Set(['sal', 'etage']);
const FILLERS = new Set([
  ...FLOOR_FILLERS,
  ...['lejl', 'lejlighed', 'lej', 'doer', 'd', 'vaer', 'vaerelse', 'nr'],
]);
const SIDES = new Set(['tv', 'th', 'mf', 'venstre', 'hoejre', 'midtfor']);

/**
 * Floor and door of what follows the house number. A lone number may be either, and `st. Ridkøb` a
 * ground floor or a town.
 */
export function readTail(chunks: readonly Chunk[]): readonly Tail[] {
  const tails = [tailOf(chunks, isFloor)];
  if (chunks.some((chunk, i) => isFloor(chunk, chunks[i + 1]) !== mayBeFloor(chunk))) {
    tails.push(tailOf(chunks, mayBeFloor));
  }
  const apart = chunks.flatMap(unitApart);
  if (apart.length > chunks.length) tails.push(tailOf(apart, isFloor));
  const { floor, door, isLone, left } = tails[0]!;
  if (isLone && door === null) tails.push({ floor: null, door: floor, isLone, left });
  return tails;
}

/** `1-7` and `1/7` are a floor and a door, where they are no door. */
function unitApart(chunk: Chunk): readonly Chunk[] {
  const [, floor, door] = /^(\d{1,2})[-/](\d{1,4})$/.exec(chunk.text) ?? [];
  if (floor === undefined || door === undefined) return [chunk];
  return [
    { ...chunk, text: floor, folded: floor, hasStop: true },
    { ...chunk, text: door, folded: door },
  ];
}

function tailOf(
  chunks: readonly Chunk[],
  isFloorHere: (chunk: Chunk, next: Chunk | undefined) => boolean,
): Tail {
  let floor: string | null = null;
  let door: string | null = null;
  let isLone = false;
  // Shut by a word that is neither floor nor door, until a part says both or either by itself.
  let isShut = false;
  const left: Chunk[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const next = chunks[i + 1];
    const isPartStart = i > 0 && chunks[i - 1]!.part !== chunk.part;
    if (isShut && isPartStart && floor === null && isUnitPart(chunks, i)) isShut = false;
    if (!isShut && isFiller(chunk, next)) continue;
    if (isBuilding(chunks, i)) {
      left.push(chunk);
      continue;
    }
    if (isShut && !SIDES.has(chunk.folded)) {
      left.push(chunk);
      continue;
    }
    if (floor === null && door === null && isFloorHere(chunk, next)) {
      floor = normalFloor(chunk.text);
      isLone = /^\d+$/.test(chunk.text) && !chunk.hasStop && next?.folded !== 'sal';
    } else if (door === null && isDoor(chunk, floor !== null)) {
      door = normalDoor(chunk.text);
      isLone = false;
    } else {
      left.push(chunk);
      isShut = true;
    }
  }
  return { floor, door, isLone, left };
}

/** `opgang B`: the word, or what it is called behind it. */
function isBuilding(chunks: readonly Chunk[], i: number): boolean {
  const { folded, part, hasStop } = chunks[i]!;
  if (BUILDINGS.has(folded)) return true;
  const before = chunks[i - 1];
  const isNamed = before?.part === part && BUILDINGS.has(before.folded) && !hasStop;
  if (!isNamed) return false;
  return /^[a-z]$/.test(folded) || (/^\d{1,2}$/.test(folded) && chunks[i + 1]?.part !== part);
}

/** Whether the part that begins here is a floor with or without a door, and nothing else. */
function isUnitPart(chunks: readonly Chunk[], from: number): boolean {
  const { part } = chunks[from]!;
  let to = from;
  while (to < chunks.length && chunks[to]!.part === part) to += 1;
  const own = chunks.slice(from, to).filter((chunk, i, all) => !isFiller(chunk, all[i + 1]));
  const [first, second] = own;
  if (first === undefined || own.length > 2 || !isFloor(first, second)) return false;
  return second === undefined ? first.hasStop || to > from + 1 : isDoor(second, true);
}

/** A word between floor and door that says nothing; `nr` only before a number. */
function isFiller({ folded }: Chunk, next: Chunk | undefined): boolean {
  if (!FILLERS.has(folded)) return false;
  // `lejl. nr. 7`.
  const isBefore = next !== undefined && (/^[a-z]?\d/.test(next.folded) || next.folded === 'nr');
  return FLOOR_FILLERS.has(folded) || isBefore;
}

function mayBeFloor(chunk: Chunk): boolean {
  return normalFloor(chunk.text) !== null;
}

function isFloor(chunk: Chunk, next: Chunk | undefined): boolean {
  if (!mayBeFloor(chunk)) return false;
  // `St. Heddinge` is no ground floor.
  const isTown =
    chunk.folded === 'st' &&
    next?.part === chunk.part &&
    !SIDES.has(next.folded) &&
    /^[a-z]{3}/.test(next.folded) &&
    !FILLERS.has(next.folded);
  return !isTown;
}

function isDoor(chunk: Chunk, hasFloor: boolean): boolean {
  if (SIDES.has(chunk.folded)) return true;
  if (/^\d{1,4}$/.test(chunk.text)) return true;
  return hasFloor && /^([a-zæøå]|[a-zæøå]?\d[\da-zæøå/-]{0,3})$/i.test(chunk.text);
}
