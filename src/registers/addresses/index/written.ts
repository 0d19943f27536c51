/** Readings of a written address: `12, 2` may be a floor or a door; the index decides. */
import { COUNTRY, REGIONS } from '../../../names/abbreviations.ts';
import { chunksOf, placesOf, wordsOf } from './chunks.ts';
import type { Chunk } from './chunks.ts';
import { housesOf, isGuess, isHeldToTheLetter } from './houses.ts';
import type { HouseFound, HouseWay } from './houses.ts';
import { findPostcode, otherPostcode, restOf, townInside } from './postcodes.ts';
import type { KnownPlaces, PostcodeFound } from './postcodes.ts';
import { isUnitPart, readTail } from './tail.ts';
import type { Tail } from './tail.ts';
import { NOT_MENDED } from './unit-slips.ts';
import type { Mended } from './unit-slips.ts';

/** `postcode`: four digits, also of no existing one. */
export interface Reading extends Mended {
  readonly road: string;
  /** Towns and leftovers, folded, one entry per comma part; the one after the postcode first. */
  readonly places: readonly string[];
  readonly spelling: ReadonlyMap<string, string>;
  readonly way: HouseWay;
  readonly mended: Mended;
}

const MOST_READINGS = 12;

export function asWritten(folded: string, { spelling }: Pick<Reading, 'spelling'>): string {
  const whole = spelling.get(folded);
  if (whole !== undefined) return whole;
  return folded
    .split(' ')
    .map((word) => spelling.get(word) ?? word)
    .join(' ');
}

export function readText(text: string, known: KnownPlaces): readonly Reading[] {
  const chunks = withoutCountry(chunksOf(text), known);
  const spelling = new Map(chunks.map((chunk) => [chunk.folded, chunk.text]));
  const post = findPostcode(chunks, known);
  const other = otherPostcode(chunks, post, known);
  const inside = townInside(chunks, post, known);
  const rests = [
    { rest: restOf(chunks, post), post },
    ...(other === null ? [] : [{ rest: restOf(chunks, other), post: other }]),
    ...(inside === null ? [] : [inside]),
  ];
  const found = rests.flatMap((each) =>
    housesOf(each.rest).flatMap((house) => withTails(house, { ...each, spelling })),
  );
  const plain = found.filter(({ isMended }) => !isMended);
  const mended = found.filter(({ isMended }) => isMended);
  const readings = [...plain, ...mended].slice(0, MOST_READINGS).map(({ reading }) => reading);
  if (readings.some(({ way }) => !isHeldToTheLetter(way))) return readings;
  // What only a rare reading explains may be a road without a number.
  return [...readings, roadAlone(restOf(chunks, post), post, spelling)];
}

interface Context {
  readonly rest: readonly Chunk[];
  readonly post: PostcodeFound;
  readonly spelling: Reading['spelling'];
}

function withTails(
  house: HouseFound,
  { rest, post, spelling }: Context,
): readonly { readonly reading: Reading; readonly isMended: boolean }[] {
  const before = rest.slice(0, house.from);
  // `2. tv, Nørregade 12`.
  const lead = unitAtStart(before);
  const behind = house.tail ?? rest.slice(house.after);
  const [letter] = behind;
  // `A` of `1. sal, Nørregade 12 A` belongs to the house; it is no door.
  const isLettered = lead.length > 0 && letter?.part === rest[house.at]?.part && isLetter(letter);
  const sure = post.misread === null ? house.way : 'mended';
  return readTail([...lead, ...behind]).map((tail: Tail) => {
    const reading = {
      road: wordsOf(rest.slice(house.roadFrom, house.at)),
      houseNumber: house.houseNumber,
      floor: tail.floor,
      door: tail.door,
      postcode: post.code,
      places: [...post.places, ...placesOf([...before.slice(lead.length), ...tail.left])],
      spelling,
      way: isGuess(house.way) ? house.way : isLettered ? 'guessed' : (tail.doubt ?? sure),
      mended: { ...tail.mended, houseNumber: house.misread ?? null, postcode: post.misread },
    } as const;
    return { reading, isMended: tail.doubt !== null };
  });
}

const isLetter = (chunk: Chunk | undefined): boolean => /^\p{L}$/u.test(chunk?.text ?? '');

/** `tv, 2. sal, Nørregade 12`. */
function unitAtStart(before: readonly Chunk[]): readonly Chunk[] {
  if (before.length === 0) return before;
  if (isUnitPart(before, 0)) return before.filter(({ part }) => part === before[0]!.part);
  const [{ floor, left }] = readTail(before) as [Tail];
  return floor !== null && left.length === 0 ? before : [];
}

/** The first part as a road without a number, `Ring 4`, if no other reading finds anything. */
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
  const own = { postcode: post.code, places, spelling, way: 'plain', mended: NOT_MENDED } as const;
  return { road, ...nothing, ...own };
}

/** Drops a country, and a region in the last part. */
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
