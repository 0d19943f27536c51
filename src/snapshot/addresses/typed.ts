/** Reads what somebody is typing: which word the caret is in, and what the words around it are. */
import { fold } from './fold.ts';
import { chunksOf, findPostcode, housesOf, placesOf, readTail, wordsOf } from './written.ts';
import type { Chunk, HouseFound, KnownPlaces } from './written.ts';

export interface Typed {
  /** Folded. */
  readonly road: string;
  /** The road's last word is still being typed. */
  readonly isRoadOpen: boolean;
  readonly houseNumber: string | null;
  /** The house number may get more digits or a letter. */
  readonly isHouseOpen: boolean;
  /** A comma or more stands behind the house number. */
  readonly wantsUnit: boolean;
  readonly floor: string | null;
  readonly door: string | null;
  /** A beginning of a floor or door, folded. */
  readonly unitStart: string | null;
  /** A postcode that there is. */
  readonly postcode: string | null;
  /** Beginnings of towns, folded. */
  readonly places: readonly string[];
}

/** Ways to read it, the likeliest first. */
export function readTyped(text: string, caret: number, known: KnownPlaces): readonly Typed[] {
  const at = endOfWord(text, caret);
  const before = chunksOf(text.slice(0, at));
  const parts = (before.at(-1)?.part ?? 0) + 1;
  const after = chunksOf(text.slice(at)).map((chunk) => ({ ...chunk, part: chunk.part + parts }));
  const all = [...before, ...after];
  const post = findPostcode(all, known);
  const isPost = post.code !== null && known.postcodeName(post.code) !== null;
  const [from, to] = isPost ? [post.from, post.to] : [all.length, all.length];
  const head = before.filter((_, i) => i < from || i >= to);
  const rest = after.filter((_, i) => i + before.length < from || i + before.length >= to);
  const open = /[\p{L}\p{N}]$/u.test(text.slice(0, at)) ? before.at(-1) : undefined;
  const context: Context = {
    head,
    open: open !== undefined && head.includes(open) ? open : null,
    endsPart: /,\s*$/.test(text.slice(0, at)),
    postcode: isPost ? post.code : null,
    places: [...(isPost ? post.places : []), ...placesOf(rest)],
  };
  const housed = housesOf(head).map((house) => withHouse(house, context));
  return housed.length > 0 ? housed : withoutHouse(context, known);
}

interface Context {
  /** Words up to the caret, without the postcode and its town. */
  readonly head: readonly Chunk[];
  readonly open: Chunk | null;
  /** A comma is the last thing before the caret. */
  readonly endsPart: boolean;
  readonly postcode: string | null;
  readonly places: readonly string[];
}

function withHouse(house: HouseFound, { head, open, endsPart, postcode, places }: Context): Typed {
  const tail = head.slice(house.after);
  const [read] = readTail(tail);
  const { floor, door, left } = read!;
  const last = left.at(-1);
  const isUnitStart = last !== undefined && last === open && last.folded.length <= 2;
  const others = [...head.slice(0, house.roadFrom), ...(isUnitStart ? left.slice(0, -1) : left)];
  return {
    road: fold(wordsOf(head.slice(house.roadFrom, house.at))),
    isRoadOpen: false,
    houseNumber: house.houseNumber,
    isHouseOpen: tail.length === 0 && open !== null,
    wantsUnit: floor !== null || door !== null || isUnitStart || (tail.length === 0 && endsPart),
    floor,
    door,
    unitStart: isUnitStart ? last.folded : null,
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
};

/** All words may be the road, or the last ones a town. */
function withoutHouse(
  { head, open, postcode, places }: Context,
  known: KnownPlaces,
): readonly Typed[] {
  const part = head[0]?.part;
  const words = head.filter((chunk) => chunk.part === part);
  const others = placesOf(head.slice(words.length));
  const isOpen = open !== null && words.includes(open);
  const road = fold(wordsOf(words));
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
