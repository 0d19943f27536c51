/**
 * Reads an address as somebody wrote it. A text can often be read in more than one way (`12, 2` may
 * be a floor or a door), so what comes out is a short list of readings; the book decides.
 */
import { normalDoor, normalFloor, normalHouseNumber } from '../../layers/address-text.ts';
import { fold } from './fold.ts';

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
}

/** A word of a text, between spaces and commas. */
export interface Chunk {
  readonly text: string;
  readonly folded: string;
  /** A full stop stood behind it. */
  readonly hasStop: boolean;
  /** Commas before it. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** Words of one text that are looked at; of the rest so many letters are kept as unknown. */
const MOST_CHUNKS = 40;
const MOST_REST = 100;
/** Ways of reading one text that are tried. */
const MOST_READINGS = 8;

/** What joins a word to its neighbour although it is another: `2.th`, `2tv`, `DK-5000`. */
const SIDE = 'tv|th|mf';
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\bt\.\s?v\b\.?/gi, 'tv'],
  [/\bt\.\s?h\b\.?/gi, 'th'],
  [/\bm\.\s?f\b\.?/gi, 'mf'],
  [/\btil venstre\b/gi, 'tv'],
  [/\btil (?:højre|hoejre)(?![\p{L}])/giu, 'th'],
  [/\bmidt for\b/gi, 'mf'],
  [/\b(?:dk|d)\s?-\s?(?=\d{4}\b)/gi, ''],
];
const GLUED: readonly RegExp[] = [
  new RegExp(`^(\\d{1,2}|st|kl|kld|k[2-9])\\.?(${SIDE})$`, 'i'),
  /^(\d{1,2}|st|kl|kld|k[2-9])\.([a-z0-9/-]{1,4})$/i,
  /^(\d{1,2})\.?(sal)$/i,
];

/** The words of a text, in order; sides and floors written together are taken apart. */
export function chunksOf(text: string): readonly Chunk[] {
  let plain = text.normalize('NFC');
  for (const [pattern, by] of REWRITES) plain = plain.replace(pattern, by);
  const chunks: Chunk[] = [];
  let part = 0;
  for (const match of plain.matchAll(/[,;\n]|[^\s,;]+/g)) {
    const [word] = match;
    if (/^[,;\n]$/.test(word)) {
      part += 1;
      continue;
    }
    const glued = GLUED.map((pattern) => pattern.exec(word.replace(/\.+$/, ''))).find(
      (found) => found !== null,
    );
    const words = glued ? [`${glued[1]!}.`, glued[2]!] : [word];
    for (const each of words) {
      const bare = each.replace(/[.:]+$/, '');
      const folded = fold(bare);
      if (folded === '') continue;
      const end = match.index + word.length;
      chunks.push({
        text: bare,
        folded,
        hasStop: each.endsWith('.'),
        part,
        start: match.index,
        end,
      });
    }
    if (chunks.length >= MOST_CHUNKS) {
      const end = plain.length;
      const rest = plain.slice(match.index + word.length, match.index + word.length + MOST_REST);
      const folded = fold(rest);
      const last = { text: rest, folded, hasStop: false, part: part + 1, start: match.index, end };
      if (folded !== '') chunks.push(last);
      break;
    }
  }
  return chunks;
}

/** Folded words of a reading's places as they were written. */
export function asWritten(folded: string, { spelling }: Pick<Reading, 'spelling'>): string {
  const whole = spelling.get(folded);
  if (whole !== undefined) return whole;
  return folded
    .split(' ')
    .map((word) => spelling.get(word) ?? word)
    .join(' ');
}

/** What the reader asks of the book. */
export interface KnownPlaces {
  /** Folded name of a postcode; null when there is none of that code. */
  postcodeName(code: string): string | null;
  /** Whether a postcode's town begins the way the folded text does. */
  isTownStart(folded: string): boolean;
}

/** Ways to read a text, the likeliest first. */
export function readText(text: string, known: KnownPlaces): readonly Reading[] {
  const chunks = chunksOf(text);
  const post = findPostcode(chunks, known);
  const rest = chunks.filter((_, i) => i < post.from || i >= post.to);
  const spelling = new Map(chunks.map((chunk) => [chunk.folded, chunk.text]));
  const readings: Reading[] = [];
  for (const house of housesOf(rest)) {
    for (const tail of readTail(rest.slice(house.after))) {
      readings.push({
        road: wordsOf(rest.slice(house.roadFrom, house.at)),
        houseNumber: house.houseNumber,
        floor: tail.floor,
        door: tail.door,
        postcode: post.code,
        places: [...post.places, ...placesOf([...rest.slice(0, house.roadFrom), ...tail.left])],
        spelling,
      });
      if (readings.length >= MOST_READINGS) return readings;
    }
  }
  if (readings.length > 0) return readings;
  const firstPart = rest.filter(({ part }) => part === rest[0]?.part);
  const left = rest.slice(firstPart.length);
  const places = [...post.places, ...placesOf(left)];
  const nothing = { houseNumber: null, floor: null, door: null };
  return [{ road: wordsOf(firstPart), ...nothing, postcode: post.code, places, spelling }];
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
  readonly roadFrom: number;
  readonly at: number;
  readonly after: number;
}

const NUMBER = /^\d{1,4}[a-zæøå]?$/i;

/** Each number that has words before it in its part; the first are the likeliest. */
export function housesOf(chunks: readonly Chunk[]): readonly HouseFound[] {
  const found: HouseFound[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const houseNumber = NUMBER.test(chunk.text) ? normalHouseNumber(chunk.text) : null;
    if (houseNumber === null || houseNumber.replace(/\D/g, '').length > 3) continue;
    let roadFrom = i;
    while (roadFrom > 0 && chunks[roadFrom - 1]!.part === chunk.part) roadFrom -= 1;
    // `Nørregade, 12`: the number has a comma to itself.
    if (roadFrom === i && i > 0 && /[a-z]/.test(chunks[i - 1]!.folded)) {
      roadFrom -= 1;
      while (roadFrom > 0 && chunks[roadFrom - 1]!.part === chunks[i - 1]!.part) roadFrom -= 1;
    }
    const hasWords = chunks.slice(roadFrom, i).some(({ folded }) => /[a-z]{2}/.test(folded));
    if (!hasWords) continue;
    const at = /^(nr|no)$/.test(chunks[i - 1]!.folded) && i - roadFrom > 1 ? i - 1 : i;
    const letter = letterAfter(chunks, i);
    if (letter !== null) {
      found.push({ houseNumber: houseNumber + letter, roadFrom, at, after: i + 2 });
    }
    found.push({ houseNumber, roadFrom, at, after: i + 1 });
  }
  return found;
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
const FILLERS = new Set([...FLOOR_FILLERS, 'lejl', 'lejlighed', 'doer', 'vaer', 'vaerelse', 'nr']);
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
  const { floor, door, isLone, left } = tails[0]!;
  if (isLone && door === null) tails.push({ floor: null, door: floor, isLone, left });
  return tails;
}

function tailOf(
  chunks: readonly Chunk[],
  isFloorHere: (chunk: Chunk, next: Chunk | undefined) => boolean,
): Tail {
  let floor: string | null = null;
  let door: string | null = null;
  let isLone = false;
  const left: Chunk[] = [];
  for (const [i, chunk] of chunks.entries()) {
    if (left.length === 0 && isFiller(chunk, chunks[i + 1])) continue;
    if (left.length > 0 && !SIDES.has(chunk.folded)) {
      left.push(chunk);
      continue;
    }
    const next = chunks[i + 1];
    if (floor === null && door === null && isFloorHere(chunk, next)) {
      floor = normalFloor(chunk.text);
      isLone = /^\d+$/.test(chunk.text) && !chunk.hasStop && next?.folded !== 'sal';
    } else if (door === null && isDoor(chunk, floor !== null)) {
      door = normalDoor(chunk.text);
      isLone = false;
    } else left.push(chunk);
  }
  return { floor, door, isLone, left };
}

/** A word between floor and door that says nothing; `nr` only before a number. */
function isFiller({ folded }: Chunk, next: Chunk | undefined): boolean {
  if (!FILLERS.has(folded)) return false;
  return FLOOR_FILLERS.has(folded) || /^[a-z]?\d/.test(next?.folded ?? '');
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

export function wordsOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ text, hasStop }) => (hasStop ? `${text}.` : text)).join(' ');
}

/** Words side by side in one part, joined. */
export function placesOf(chunks: readonly Chunk[]): readonly string[] {
  const byPart = new Map<number, string[]>();
  for (const { part, folded } of chunks) {
    const words = byPart.get(part) ?? [];
    words.push(folded);
    byPart.set(part, words);
  }
  return [...byPart.values()].map((words) => words.join(' '));
}
