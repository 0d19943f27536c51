import { chunksOf, placesOf, wordsOf } from './chunks.ts';
import type { Chunk } from './chunks.ts';
import { normalize } from '../../../names/normalize.ts';
import { readTail } from './tail.ts';
import type { Tail } from './tail.ts';
import { housesOf } from './houses.ts';
import type { HouseFound } from './houses.ts';
import { findPostcode } from './postcodes.ts';
import type { KnownPlaces } from './postcodes.ts';
import { withoutCountry } from './written.ts';

export interface Typed {
  /** Folded. */
  readonly road: string;
  /** The road's last word is still being typed. */
  readonly isRoadOpen: boolean;
  readonly houseNumber: string | null;
  /** The number may get more digits or a letter. */
  readonly isHouseOpen: boolean;
  /** A comma or more follows the house number. */
  readonly wantsUnit: boolean;
  readonly floor: string | null;
  readonly door: string | null;
  /** Beginning of a floor or door, folded. */
  readonly unitStart: string | null;
  /** A number after the last comma is read as the start of a postcode, not as a floor. */
  readonly isPlaceStart: boolean;
  /** The floor or door is a bare number. */
  readonly isUnitLone: boolean;
  /** The house number is read as written, after its road. */
  readonly isPlain: boolean;
  /** The whole text, number included, is the road: only names that equal it or begin so match. */
  readonly isToTheLetter: boolean;
  readonly postcode: string | null;
  readonly places: readonly string[];
}

export function readTyped(text: string, caret: number, known: KnownPlaces): readonly Typed[] {
  const at = endOfWord(text, caret);
  const before = chunksOf(text.slice(0, at));
  const endsPart = /,\s*$/.test(text.slice(0, at));
  const parts = (before.at(-1)?.part ?? 0) + (endsPart ? 1 : 0);
  const after = chunksOf(text.slice(at)).map((chunk) => ({ ...chunk, part: chunk.part + parts }));
  const all = withoutCountry([...before, ...after], known);
  const post = findPostcode(all, known);
  const isPost = post.code !== null && known.postcodeName(post.code) !== null;
  const [from, to] = isPost ? [post.from, post.to] : [all.length, all.length];
  const rest = all.filter((_, i) => i < from || i >= to);
  const open = /[\p{L}\p{N}]$/u.test(text.slice(0, at)) ? before.at(-1) : undefined;
  const context: Context = {
    head: rest.filter((chunk) => before.includes(chunk)),
    rest,
    open: open !== undefined && rest.includes(open) ? open : null,
    comma: endsPart ? (before.at(-1) ?? null) : null,
    postcode: isPost ? post.code : null,
    places: isPost ? post.places : [],
  };
  const housed = housesOf(rest).flatMap((house) => withHouse(house, context));
  if (housed.length === 0) return withoutHouse(context, known);
  // `Vej 1` is a road, and number 1 of a road that begins so.
  const isOnePart = context.head.every(({ part }) => part === 0) && !endsPart;
  if (!isOnePart) return housed;
  const [whole] = withoutHouse(context, known);
  return [housed[0]!, { ...whole!, isToTheLetter: true }, ...housed.slice(1)];
}

interface Context {
  readonly head: readonly Chunk[];
  readonly rest: readonly Chunk[];
  readonly open: Chunk | null;
  readonly comma: Chunk | null;
  readonly postcode: string | null;
  readonly places: readonly string[];
}

function withHouse(house: HouseFound, context: Context): readonly Typed[] {
  const { rest } = context;
  const tail = house.tail ?? rest.slice(house.after);
  const [read] = readTail(tail);
  const asUnit = housed(house, context, { ...read!, tail });
  // `8, 2`: the second floor, or the start of a postcode.
  const last = tail.at(-1);
  const isAlone = last !== undefined && tail.at(-2)?.part !== last.part;
  const isBehindComma = last !== undefined && last.part !== rest[house.after - 1]!.part;
  if (!isAlone || !isBehindComma || last.hasStop || !/^\d{1,3}$/.test(last.folded)) return [asUnit];
  const [whole] = readTail(tail.slice(0, -1));
  const own = { ...whole!, left: [...whole!.left, last], tail, isPlaceStart: true };
  return [asUnit, housed(house, context, own)];
}

function housed(
  house: HouseFound,
  { rest, open, comma, postcode, places }: Context,
  read: Tail & { readonly tail: readonly Chunk[]; readonly isPlaceStart?: boolean },
): Typed {
  const { floor, door, left, tail, isPlaceStart = false } = read;
  const last = left.at(-1);
  const isUnitStart =
    !isPlaceStart &&
    door === null &&
    last !== undefined &&
    last === open &&
    left.length === 1 &&
    last.folded.length <= 2;
  const others = [...rest.slice(0, house.from), ...(isUnitStart ? left.slice(0, -1) : left)];
  const number = rest[house.after - 1]!;
  const own = rest.slice(house.roadFrom, house.at);
  return {
    road: normalize(wordsOf(own)),
    isRoadOpen: open !== null && own.at(-1) === open,
    houseNumber: house.houseNumber,
    isHouseOpen: number === open,
    wantsUnit:
      floor !== null || door !== null || isUnitStart || (tail.length === 0 && comma === number),
    floor,
    door,
    unitStart: isUnitStart ? last.folded : null,
    isPlaceStart,
    isUnitLone: read.isLone,
    isPlain: house.way === 'plain',
    isToTheLetter: false,
    postcode,
    places: [...places, ...placesOf(others)],
  };
}

const NO_HOUSE = {
  houseNumber: null,
  isHouseOpen: false,
  wantsUnit: false,
  floor: null,
  door: null,
  unitStart: null,
  isPlaceStart: false,
  isUnitLone: false,
  isPlain: true,
  isToTheLetter: false,
};

/** The words are the road, or the last ones a town. */
function withoutHouse(
  { head, rest, open, postcode, places }: Context,
  known: KnownPlaces,
): readonly Typed[] {
  const part = head[0]?.part;
  const words = head.filter((chunk) => chunk.part === part);
  const behind = rest.filter((chunk) => !head.includes(chunk));
  const others = placesOf([...head.slice(words.length), ...behind]);
  const isOpen = open !== null && words.includes(open);
  const road = normalize(wordsOf(words));
  const whole: Typed = {
    ...NO_HOUSE,
    road,
    isRoadOpen: isOpen,
    postcode,
    places: [...places, ...others],
  };
  const split: Typed[] = [];
  const folded = road.split(' ');
  for (let n = folded.length - 1; n > 0 && split.length < 3; n--) {
    const town = folded.slice(n).join(' ');
    if (!known.isTownStart(town)) continue;
    const start = folded.slice(0, n).join(' ');
    split.push({ ...whole, road: start, isRoadOpen: false, places: [...whole.places, town] });
  }
  return [whole, ...split];
}

function endOfWord(text: string, caret: number): number {
  let at = Math.max(0, Math.min(caret, text.length));
  while (at > 0 && at < text.length && isLetter(text[at - 1]!) && isLetter(text[at]!)) at += 1;
  return at;
}

function isLetter(letter: string): boolean {
  return /[\p{L}\p{N}]/u.test(letter);
}
