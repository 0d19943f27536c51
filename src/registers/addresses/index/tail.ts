import { floorBelow, normalDoor, normalFloor } from '../../../layers/address-text.ts';
import {
  DOOR_WORDS,
  FLAT_WORDS,
  FLOOR_FILLERS,
  FLOOR_WORDS,
  LIKENED_FLOORS,
  UNSURE_DOORS,
  UNSURE_FILLERS,
  UNSURE_FLOORS,
} from '../../../layers/unit-words.ts';
import { BUILDINGS, STAIRWAYS } from '../../../names/abbreviations.ts';
import type { Chunk } from './chunks.ts';
import { isDistrict } from './place-fit.ts';
import { DOORS, FLOORS, formsNear, isOneOfForms } from './unit-slips.ts';
import type { Vocabulary } from './unit-slips.ts';

export interface Tail {
  readonly floor: string | null;
  readonly door: string | null;
  /** The floor is a bare number and may be a door. */
  readonly isLone: boolean;
  /** A word was corrected, or is ambiguous. */
  readonly doubt: 'mended' | 'guessed' | null;
  /** Original words that were corrected, folded. */
  readonly mended: { readonly floor: string | null; readonly door: string | null };
  readonly left: readonly Chunk[];
}

/** Gives the forms that a word may be, best first. */
interface Reader {
  readonly floor: (chunk: Chunk, next: Chunk | undefined) => readonly string[];
  readonly door: (chunk: Chunk, hasFloor: boolean) => readonly string[];
  /** Words after a floor that mean nothing. */
  readonly fillers: ReadonlySet<string>;
}

/** Readings of what follows the house number: `st. Ridkøb` may be a floor or a town. */
export function readTail(chunks: readonly Chunk[]): readonly Tail[] {
  const first = tailsOf(chunks, PLAIN)[0]!;
  const tails = [first];
  if (chunks.some((chunk, i) => isTown(chunk, chunks[i + 1])))
    tails.push(...tailsOf(chunks, GROUND));
  const apart = chunks.flatMap(unitApart);
  if (apart.length > chunks.length) tails.push(...tailsOf(apart, PLAIN));
  const { floor, door, isLone, left } = first;
  if (isLone && door === null) tails.push({ ...first, floor: null, door: floor });
  const below = cellarByNumber(first, chunks);
  if (below !== null) tails.push(below);
  const rooms = chunks.filter((_, i) => !isOfRoom(chunks, i) && !isOfRoom(chunks, i + 1));
  const [flat] = rooms.length < chunks.length ? tailsOf(rooms, PLAIN) : [];
  if (flat !== undefined && flat.floor !== null && flat.door !== null)
    tails.push({ ...flat, doubt: cellarByNumber(flat, rooms) === null ? 'mended' : 'guessed' });
  const mayBeSide = door !== null && UNSURE_DOORS.has(door);
  if (left.length > 0 || mayBeSide) {
    const doubt = chunks.some((chunk, i) => isNthFlat(chunk, chunks[i + 1])) ? 'guessed' : 'mended';
    for (const mended of tailsOf(chunks, MENDED)) {
      const isOther = mended.left.length < left.length || mended.door !== door;
      if (isOther) tails.push({ ...mended, doubt: mended.doubt ?? doubt });
    }
  }
  return tails;
}

/** `lokale 12` of `3. th`: a room inside a flat. */
function isOfRoom(chunks: readonly Chunk[], i: number): boolean {
  const [word, number] = [chunks[i - 1], chunks[i]];
  if (word === undefined || number === undefined || word.part !== number.part) return false;
  return ROOMS.has(word.folded) && /^\d{1,4}$/.test(number.folded) && !number.hasStop;
}

const ROOMS: ReadonlySet<string> = new Set(['lokale', 'lok', 'rum', 'kontor', 'vaerelse', 'vaer']);

/** `kld. 2 tv` is two floors below ground; `kld. 2` may also be flat 2 of the first. */
function cellarByNumber(read: Tail, chunks: readonly Chunk[]): Tail | null {
  const floor = read.floor === 'kl' && /^[2-9]$/.test(read.door ?? '') ? `k${read.door}` : null;
  const isFlat = chunks.some(({ folded }) => FLAT_WORDS.has(folded) || folded === 'k1');
  if (floor === null || isFlat) return null;
  const [next, ...left] = read.left;
  if (next === undefined || !isSide(next)) return { ...read, floor, door: null, doubt: 'guessed' };
  return { ...read, floor, door: normalDoor(next.text), left, doubt: 'mended' };
}

/** `første lejl. højre`: on the first floor, or the first flat. */
const isNthFlat = ({ folded }: Chunk, next: Chunk | undefined): boolean =>
  /^\d/.test(FLOOR_WORDS.get(folded) ?? '') && next !== undefined && FLAT_WORDS.has(next.folded);

/** `1-7` and `1/7` are a floor and a door, or one door. */
function unitApart(chunk: Chunk): readonly Chunk[] {
  const [, floor, door] = /^(\d{1,2})[-/](\d{1,4})$/.exec(chunk.text) ?? [];
  if (floor === undefined || door === undefined) return [chunk];
  return [
    { ...chunk, text: floor, folded: floor, hasStop: true },
    { ...chunk, text: door, folded: door },
  ];
}

function tailsOf(chunks: readonly Chunk[], reader: Reader): readonly Tail[] {
  const found = { floor: NO_WORD, door: NO_WORD };
  let isLone = false;
  // After a word that is neither floor nor door, until a part has both or is alone.
  let isShut = false;
  const left: Chunk[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const next = chunks[i + 1];
    const [floor = null] = found.floor.forms;
    const [door = null] = found.door.forms;
    if (isShut && floor === null && startsUnitPart(chunks, i)) isShut = false;
    if (!isShut && isFiller(chunk, next)) continue;
    if (floor !== null && door === null && reader.fillers.has(chunk.folded)) continue;
    if (isNoUnit(chunks, i, floor) || (isShut && !isSide(chunk))) {
      left.push(chunk);
      continue;
    }
    const mayTake: boolean = floor === null && mayBeFloorHere(chunks, i, door);
    const floors = mayTake ? reader.floor(chunk, next) : [];
    const doors = floors.length > 0 || door !== null ? [] : reader.door(chunk, floor !== null);
    if (floors.length > 0) {
      isLone = isBareNumber(chunk) && !isFloorTold(chunks, i);
      found.floor = { forms: floors, written: chunk.folded, plain: plainFloor(chunk, next) };
    } else if (doors.length > 0) {
      found.door = { forms: doors, written: chunk.folded, plain: plainDoor(chunk, floor !== null) };
      isLone = false;
    } else {
      left.push(chunk);
      isShut = true;
    }
  }
  const mended = { floor: mendedWord(found.floor), door: mendedWord(found.door) };
  return formsOf(found.floor).flatMap((floor) =>
    formsOf(found.door).map((door) => {
      const isGuess = isGuessOf(found.floor, floor, FLOORS) || isGuessOf(found.door, door, DOORS);
      const doubt = isGuess || holdsMore(mended.floor) ? 'guessed' : null;
      return { floor, door, isLone, doubt, mended, left };
    }),
  );
}

interface WordRead {
  readonly forms: readonly string[];
  readonly written: string;
  readonly plain: string | null;
}

const NO_WORD: WordRead = { forms: [], written: '', plain: null };

const formsOf = ({ forms }: WordRead): readonly (string | null)[] =>
  forms.length === 0 ? [null] : forms;

const isGuessOf = ({ forms, written }: WordRead, form: string | null, words: Vocabulary) =>
  form !== null && isOneOfForms(written, { form, forms }, words);

// `stuenh` may have a door at its end.
const holdsMore = (floor: string | null): boolean =>
  floor !== null &&
  LIKENED_FLOORS.keys().some((word) => {
    const more = floor.startsWith(word) ? floor.length - word.length : 0;
    return word.length > 3 && more > 0 && more < 3;
  });

const mendedWord = ({ forms, written, plain }: WordRead): string | null =>
  forms.length === 0 || forms[0] === plain ? null : written;

// `2. sal`, `etage 2`, and the 2 alone of `dør 1 sal 2`.
function isFloorTold(chunks: readonly Chunk[], i: number): boolean {
  const wordAt = (at: number): string =>
    chunks[at]?.part === chunks[i]!.part ? chunks[at].folded : '';
  const isOfFloor = (at: number): boolean => FLOOR_FILLERS.has(wordAt(at));
  const isNumberOfFlat = (at: number): boolean => FLAT_WORDS.has(wordAt(at - 1));
  const isNumber = (at: number): boolean => /^\d/.test(wordAt(at));
  const isBefore = isOfFloor(i + 1) && !(isNumberOfFlat(i) && isNumber(i + 2));
  return isBefore || (isOfFloor(i - 1) && (!isNumber(i - 2) || isNumberOfFlat(i - 2)));
}

/** `tv, 1.` and `lejl. 4, 2. sal` have the door first. */
function mayBeFloorHere(chunks: readonly Chunk[], i: number, door: string | null): boolean {
  const isFree = door === null || DOOR_WORDS.has(door) || isFloorTold(chunks, i);
  return isFree && !isOfFlat(chunks, i);
}

/** `lejl. 3` is a door on any floor; `lejl. 3. tv` is a floor. */
function isOfFlat(chunks: readonly Chunk[], i: number): boolean {
  const [before, chunk, next] = [chunks[i - 1], chunks[i]!, chunks[i + 1]];
  if (before?.part !== chunk.part || !FLAT_WORDS.has(before.folded)) return false;
  const isBeforeSide = next !== undefined && isSide(next);
  return isBareNumber(chunk) && !isBeforeSide && !isFloorTold(chunks, i);
}

const isBareNumber = ({ text, hasStop, isBelow }: Chunk): boolean =>
  /^\d+$/.test(text) && !hasStop && !isBelow;

/** `baghus`; `2.` of `st., 2. sal`. */
function isNoUnit(chunks: readonly Chunk[], i: number, floor: string | null): boolean {
  const { text, isBelow, part } = chunks[i]!;
  const isToldAgain = /^\d/.test(text) && isFloorTold(chunks, i);
  const isFloorAgain = isToldAgain || (isBelow && chunks[i - 1]?.part !== part);
  return isBuilding(chunks, i) || (floor !== null && isFloorAgain);
}

/** `opgang B`, `2. opgang`. */
function isBuilding(chunks: readonly Chunk[], i: number): boolean {
  const { folded, part, hasStop } = chunks[i]!;
  if (BUILDINGS.has(folded)) return true;
  const next = chunks[i + 1];
  if (/^\d{1,2}$/.test(folded) && next?.part === part && STAIRWAYS.has(next.folded)) return true;
  const before = chunks[i - 1];
  const isNamed = before?.part === part && BUILDINGS.has(before.folded) && !hasStop;
  if (!isNamed || isNumbered(chunks, i - 1)) return false;
  const isLast = next?.part !== part || (next.hasStop && isFloor(next, chunks[i + 2]));
  return /^[a-z]$/.test(folded) || (/^\d{1,2}$/.test(folded) && isLast);
}

function isNumbered(chunks: readonly Chunk[], i: number): boolean {
  const before = chunks[i - 1];
  return before?.part === chunks[i]!.part && /^\d{1,2}$/.test(before.folded);
}

const startsUnitPart = (chunks: readonly Chunk[], i: number): boolean =>
  i > 0 && chunks[i - 1]!.part !== chunks[i]!.part && isUnitPart(chunks, i);

export function isUnitPart(chunks: readonly Chunk[], from: number): boolean {
  const { part } = chunks[from]!;
  let to = from;
  while (to < chunks.length && chunks[to]!.part === part) to += 1;
  const own = chunks.slice(from, to).filter((chunk, i, all) => !isFiller(chunk, all[i + 1]));
  const [first, second] = own;
  if (first === undefined || own.length > 2 || !isFloor(first, second)) return false;
  return second === undefined ? first.hasStop || to > from + 1 : plainDoor(second, true) !== null;
}

function isFiller({ folded }: Chunk, next: Chunk | undefined): boolean {
  if (FLOOR_FILLERS.has(folded)) return true;
  if (!FLAT_WORDS.has(folded) || next === undefined) return false;
  // `lejl. nr. 7`, `dør tv`.
  const isNumber = /^[a-z]?\d|^(?:nr|no)$/.test(next.folded);
  return isNumber || isSide(next) || FLOOR_WORDS.has(next.folded);
}

const isUnitWord = ({ folded }: Chunk): boolean =>
  FLOOR_FILLERS.has(folded) || FLAT_WORDS.has(folded);

export const isSide = ({ folded }: Chunk): boolean => DOOR_WORDS.has(folded);

/** A single letter may be a door. */
const ROMANS: ReadonlyMap<string, string> = new Map(
  Object.entries({ II: '2', III: '3', IV: '4', V: '5', VI: '6', VII: '7' }),
);

function plainFloor(chunk: Chunk, next: Chunk | undefined): string | null {
  if (chunk.isBelow) return floorBelow(Number(chunk.text));
  const roman = ROMANS.get(chunk.text.toUpperCase());
  if (roman !== undefined) {
    const isBefore = next !== undefined && (isSide(next) || isUnitWord(next));
    // Lower-case `ii` is a floor only before its door, or with a full stop.
    const isLast = next?.part !== chunk.part && ROMANS.has(chunk.text);
    return isBefore || (chunk.text.length > 1 && (chunk.hasStop || isLast)) ? roman : null;
  }
  const floor = normalFloor(chunk.text);
  const isOrdinal = floor !== null && /^[1-9]/.test(floor) && !/^\d/.test(chunk.text);
  return isOrdinal && !endsFloor(chunk, next) ? null : floor;
}

/** `første sal`, `første th`, or nothing after it: `anden dør` is not a floor. */
function endsFloor({ part }: Chunk, next: Chunk | undefined): boolean {
  return next?.part !== part || isSide(next) || FLOOR_FILLERS.has(next.folded);
}

export function isFloor(chunk: Chunk, next: Chunk | undefined): boolean {
  return !isTown(chunk, next) && plainFloor(chunk, next) !== null;
}

/** `St. Heddinge` is not a ground floor. */
function isTown({ folded, part }: Chunk, next: Chunk | undefined): boolean {
  if (folded !== 'st' || next?.part !== part || isSide(next)) return false;
  return /^[a-z]{3}/.test(next.folded) && !isUnitWord(next);
}

function plainDoor(chunk: Chunk, hasFloor: boolean): string | null {
  const { text, isBelow } = chunk;
  // `-12` alone is a floor that no register has.
  if (isBelow && !hasFloor) return null;
  const isOne =
    isSide(chunk) ||
    /^\d{1,4}$/.test(text) ||
    (hasFloor && /^([a-zæøå]|[a-zæøå]?\d[\da-zæøå/-]{0,3})$/i.test(text));
  return isOne ? normalDoor(text) : null;
}

const asForms = (form: string | null): readonly string[] => (form === null ? [] : [form]);

/** Reads `st` as a floor whatever follows. */
const GROUND: Reader = {
  floor: (chunk, next) => asForms(plainFloor(chunk, next)),
  door: (chunk, hasFloor) => asForms(plainDoor(chunk, hasFloor)),
  fillers: new Set(),
};

const PLAIN: Reader = {
  ...GROUND,
  floor: (chunk, next) => (isTown(chunk, next) ? [] : GROUND.floor(chunk, next)),
};

const MENDED: Reader = {
  fillers: UNSURE_FILLERS,
  floor: (chunk, next) => {
    const plain = PLAIN.floor(chunk, next);
    const forms = plain.length > 0 ? plain : mendedFloors(chunk, next);
    // `st. rnf` is a ground floor with a door.
    const isBefore = forms.length === 0 && next !== undefined && mendedDoors(next).length > 0;
    return isBefore ? GROUND.floor(chunk, next) : forms;
  },
  door: (chunk, hasFloor) => {
    const sides = hasFloor ? mendedDoors(chunk) : [];
    return sides.length > 0 ? sides : PLAIN.door(chunk, hasFloor);
  },
};

function mendedFloors(chunk: Chunk, next: Chunk | undefined): readonly string[] {
  const { folded } = chunk;
  if (!UNSURE_FLOORS.has(folded)) {
    if (next !== undefined && FLAT_WORDS.has(next.folded))
      return asForms(FLOOR_WORDS.get(folded) ?? null);
    if (folded.length < LEAST_FLOOR || HOLDS_MORE.test(chunk.text)) return [];
    const isTold = next !== undefined && FLOOR_FILLERS.has(next.folded);
    return formsNear(folded, FLOORS, isTold ? LIKENED_FLOORS : BELOW_FIRST);
  }
  // A single letter is a floor only before a door; `L. 4` is a flat.
  const isBefore = next !== undefined && (isSide(next) || FLOOR_FILLERS.has(next.folded));
  const isStopped = chunk.hasStop && chunk.text !== 'L' && next !== undefined && isBareNumber(next);
  // `Eg` may be a town, `EG` is a ground floor.
  const isAlone = folded.length > 2 || (folded.length > 1 && !isMixed(chunk, FLOORS));
  return isAlone || isBefore || isStopped ? formsNear(folded, FLOORS) : [];
}

const isMixed = ({ folded, text }: Chunk, { abbreviated }: Vocabulary): boolean =>
  abbreviated.has(folded) && text !== text.toUpperCase();

// `B/kælder`, `kælde/tv`: no slips of the floor.
const HOLDS_MORE = /[\p{L}\d][^\p{L}\d]+[\p{L}\d]/u;
/** Shorter words are floors only where listed. */
const LEAST_FLOOR = 5;
const BELOW_FIRST = new Map([...LIKENED_FLOORS].filter(([, form]) => !/^\d/.test(form)));

function mendedDoors(chunk: Chunk): readonly string[] {
  const { folded } = chunk;
  if (isSide(chunk) || (!UNSURE_DOORS.has(folded) && isDistrict(folded))) return [];
  return formsNear(folded, DOORS);
}
