import { floorBelow, normalDoor, normalFloor } from '../../../layers/address-text.ts';
import {
  DOOR_WORDS,
  FLAT_WORDS,
  FLOOR_FILLERS,
  FLOOR_WORDS,
  UNSURE_DOORS,
  UNSURE_FILLERS,
  UNSURE_FLOORS,
} from '../../../layers/unit-words.ts';
import { BUILDINGS, STAIRWAYS } from '../../../names/abbreviations.ts';
import { editsBetween } from '../../../names/normalize.ts';
import type { Chunk } from './chunks.ts';

export interface Tail {
  readonly floor: string | null;
  readonly door: string | null;
  /** The floor is a bare number, which may be a door. */
  readonly isLone: boolean;
  /** Of a word corrected or ambiguous. */
  readonly doubt: 'mended' | 'guessed' | null;
  readonly left: readonly Chunk[];
}

interface Reader {
  readonly floor: (chunk: Chunk, next: Chunk | undefined) => string | null;
  readonly door: (chunk: Chunk, hasFloor: boolean) => string | null;
  /** Words behind a floor that mean nothing. */
  readonly fillers: ReadonlySet<string>;
}

/** Ways to read what follows the house number: `st. Ridkøb` may be a floor or a town. */
export function readTail(chunks: readonly Chunk[]): readonly Tail[] {
  const first = tailOf(chunks, PLAIN);
  const tails = [first];
  if (chunks.some((chunk, i) => isTown(chunk, chunks[i + 1]))) tails.push(tailOf(chunks, GROUND));
  const apart = chunks.flatMap(unitApart);
  if (apart.length > chunks.length) tails.push(tailOf(apart, PLAIN));
  const { floor, door, isLone, left } = first;
  if (isLone && door === null) tails.push({ ...first, floor: null, door: floor });
  const mayBeSide = door !== null && UNSURE_DOORS.has(door);
  if (left.length > 0 || mayBeSide) {
    const doubt = chunks.some((chunk, i) => isNthFlat(chunk, chunks[i + 1])) ? 'guessed' : 'mended';
    const mended = { ...tailOf(chunks, MENDED), doubt } as const;
    if (mended.left.length < left.length || mended.door !== door) tails.push(mended);
  }
  return tails;
}

/** `første lejl. højre`: of the first floor, or the first. */
const isNthFlat = ({ folded }: Chunk, next: Chunk | undefined): boolean =>
  /^\d/.test(FLOOR_WORDS.get(folded) ?? '') && next !== undefined && FLAT_WORDS.has(next.folded);

/** `1-7` and `1/7` are a floor and a door, unless they are one door. */
function unitApart(chunk: Chunk): readonly Chunk[] {
  const [, floor, door] = /^(\d{1,2})[-/](\d{1,4})$/.exec(chunk.text) ?? [];
  if (floor === undefined || door === undefined) return [chunk];
  return [
    { ...chunk, text: floor, folded: floor, hasStop: true },
    { ...chunk, text: door, folded: door },
  ];
}

function tailOf(chunks: readonly Chunk[], reader: Reader): Tail {
  let floor: string | null = null;
  let door: string | null = null;
  let isLone = false;
  // Set by a word that is neither floor nor door, until a part states both or stands alone.
  let isShut = false;
  const left: Chunk[] = [];
  for (const [i, chunk] of chunks.entries()) {
    const next = chunks[i + 1];
    const isPartStart = i > 0 && chunks[i - 1]!.part !== chunk.part;
    if (isShut && isPartStart && floor === null && isUnitPart(chunks, i)) isShut = false;
    if (!isShut && isFiller(chunk, next)) continue;
    if (floor !== null && door === null && reader.fillers.has(chunk.folded)) continue;
    if (isBuilding(chunks, i) || (isShut && !isSide(chunk))) {
      left.push(chunk);
      continue;
    }
    const mayTake: boolean = floor === null && mayBeFloorHere(chunks, i, door);
    const asFloor: string | null = mayTake ? reader.floor(chunk, next) : null;
    const asDoor: string | null =
      asFloor === null && door === null ? reader.door(chunk, floor !== null) : null;
    if (asFloor !== null) {
      floor = asFloor;
      isLone = isBareNumber(chunk) && !isFloorTold(next);
    } else if (asDoor !== null) {
      door = asDoor;
      isLone = false;
    } else {
      left.push(chunk);
      isShut = true;
    }
  }
  return { floor, door, isLone, doubt: null, left };
}

/** `sal` follows it. */
const isFloorTold = (next: Chunk | undefined): boolean =>
  next !== undefined && FLOOR_FILLERS.has(next.folded);

/** `tv, 1.` and `lejl. 4, 2. sal` have the door before its floor. */
function mayBeFloorHere(chunks: readonly Chunk[], i: number, door: string | null): boolean {
  const isFree = door === null || DOOR_WORDS.has(door) || isFloorTold(chunks[i + 1]);
  return isFree && !isOfFlat(chunks, i);
}

/** `lejl. 3` is a door on any floor; `lejl. 3. tv` is a floor. */
function isOfFlat(chunks: readonly Chunk[], i: number): boolean {
  const [before, chunk, next] = [chunks[i - 1], chunks[i]!, chunks[i + 1]];
  if (before?.part !== chunk.part || !FLAT_WORDS.has(before.folded)) return false;
  const isFloorNext = next !== undefined && (FLOOR_FILLERS.has(next.folded) || isSide(next));
  return isBareNumber(chunk) && !isFloorNext;
}

const isBareNumber = ({ text, hasStop, isBelow }: Chunk): boolean =>
  /^\d+$/.test(text) && !hasStop && !isBelow;

/** `opgang B`, `2. opgang`: the word, or its name before or after it. */
function isBuilding(chunks: readonly Chunk[], i: number): boolean {
  const { folded, part, hasStop } = chunks[i]!;
  if (BUILDINGS.has(folded)) return true;
  const next = chunks[i + 1];
  if (/^\d{1,2}$/.test(folded) && next?.part === part && STAIRWAYS.has(next.folded)) return true;
  const before = chunks[i - 1];
  const isNamed = before?.part === part && BUILDINGS.has(before.folded) && !hasStop;
  if (!isNamed || isNumbered(chunks, i - 1)) return false;
  // `opgang 3 2. th`.
  const isLast = next?.part !== part || (next.hasStop && isFloor(next, chunks[i + 2]));
  return /^[a-z]$/.test(folded) || (/^\d{1,2}$/.test(folded) && isLast);
}

function isNumbered(chunks: readonly Chunk[], i: number): boolean {
  const before = chunks[i - 1];
  return before?.part === chunks[i]!.part && /^\d{1,2}$/.test(before.folded);
}

/** Whether the part that begins here is only a floor, with or without a door. */
export function isUnitPart(chunks: readonly Chunk[], from: number): boolean {
  const { part } = chunks[from]!;
  let to = from;
  while (to < chunks.length && chunks[to]!.part === part) to += 1;
  const own = chunks.slice(from, to).filter((chunk, i, all) => !isFiller(chunk, all[i + 1]));
  const [first, second] = own;
  if (first === undefined || own.length > 2 || !isFloor(first, second)) return false;
  return second === undefined ? first.hasStop || to > from + 1 : PLAIN.door(second, true) !== null;
}

function isFiller({ folded }: Chunk, next: Chunk | undefined): boolean {
  if (FLOOR_FILLERS.has(folded)) return true;
  if (!FLAT_WORDS.has(folded) || next === undefined) return false;
  // `lejl. nr. 7`, `dør tv`.
  const isNumber = /^[a-z]?\d|^(?:nr|no)$/.test(next.folded);
  // `lejl. første højre`.
  return isNumber || isSide(next) || FLOOR_WORDS.has(next.folded);
}

const isUnitWord = ({ folded }: Chunk): boolean =>
  FLOOR_FILLERS.has(folded) || FLAT_WORDS.has(folded);

export const isSide = ({ folded }: Chunk): boolean => DOOR_WORDS.has(folded);

/** Roman numerals of floors; a single letter may be a door. */
const ROMANS: ReadonlyMap<string, string> = new Map(
  Object.entries({ II: '2', III: '3', IV: '4', V: '5', VI: '6', VII: '7' }),
);

function plainFloor(chunk: Chunk, next: Chunk | undefined): string | null {
  if (chunk.isBelow) return floorBelow(Number(chunk.text));
  const roman = ROMANS.get(chunk.text.toUpperCase());
  if (roman !== undefined) {
    const isBefore = next !== undefined && (isSide(next) || isUnitWord(next));
    // A small `ii` is a floor only before its door, or with a full stop.
    const isLast = next?.part !== chunk.part && ROMANS.has(chunk.text);
    return isBefore || (chunk.text.length > 1 && (chunk.hasStop || isLast)) ? roman : null;
  }
  const floor = normalFloor(chunk.text);
  const isOrdinal = floor !== null && /^[1-9]/.test(floor) && !/^\d/.test(chunk.text);
  return isOrdinal && !endsFloor(chunk, next) ? null : floor;
}

/** `første sal`, `første th`, and nothing after it: `anden dør` is not a floor. */
function endsFloor({ part }: Chunk, next: Chunk | undefined): boolean {
  return next?.part !== part || isSide(next) || FLOOR_FILLERS.has(next.folded);
}

export function isFloor(chunk: Chunk, next: Chunk | undefined): boolean {
  return PLAIN.floor(chunk, next) !== null;
}

/** `St. Heddinge` is not a ground floor. */
function isTown({ folded, part }: Chunk, next: Chunk | undefined): boolean {
  if (folded !== 'st' || next?.part !== part || isSide(next)) return false;
  return /^[a-z]{3}/.test(next.folded) && !isUnitWord(next);
}

function plainDoor(chunk: Chunk, hasFloor: boolean): string | null {
  const { text } = chunk;
  const isOne =
    isSide(chunk) ||
    /^\d{1,4}$/.test(text) ||
    (hasFloor && /^([a-zæøå]|[a-zæøå]?\d[\da-zæøå/-]{0,3})$/i.test(text));
  return isOne ? normalDoor(text) : null;
}

const PLAIN: Reader = {
  floor: (chunk, next) => (isTown(chunk, next) ? null : plainFloor(chunk, next)),
  door: plainDoor,
  fillers: new Set(),
};

/** Reads `st` as a floor whatever follows. */
const GROUND: Reader = { ...PLAIN, floor: plainFloor };

const MENDED: Reader = {
  fillers: UNSURE_FILLERS,
  floor: (chunk, next) => {
    const plain = PLAIN.floor(chunk, next) ?? mendedFloor(chunk, next);
    // `st. rnf` is a ground floor with a door.
    const isBefore = next !== undefined && mendedDoor(next) !== null;
    return plain ?? (isBefore ? plainFloor(chunk, next) : null);
  },
  door: (chunk, hasFloor) => {
    const side = hasFloor ? mendedDoor(chunk) : null;
    return side ?? PLAIN.door(chunk, hasFloor);
  },
};

function mendedFloor(chunk: Chunk, next: Chunk | undefined): string | null {
  const listed = UNSURE_FLOORS.get(chunk.folded);
  const isBefore = next !== undefined && (isSide(next) || FLOOR_FILLERS.has(next.folded));
  if (listed === undefined) {
    // `første lejl. højre`, where the first flat may be meant.
    if (next !== undefined && FLAT_WORDS.has(next.folded))
      return FLOOR_WORDS.get(chunk.folded) ?? null;
    const ordinal = isFloorTold(next) ? nearestOf(chunk.folded, ORDINALS) : null;
    return ordinal ?? nearestOf(chunk.folded, LONG_FLOORS);
  }
  // A single letter is a floor only before a door; `L. 4` is a flat.
  const isStopped = chunk.hasStop && chunk.text !== 'L' && next !== undefined && isBareNumber(next);
  return chunk.folded.length > 1 || isBefore || isStopped ? listed : null;
}

function mendedDoor(chunk: Chunk): string | null {
  if (isSide(chunk)) return null;
  const listed = UNSURE_DOORS.get(chunk.folded);
  if (listed !== undefined) return listed;
  const word = chunk.text.toLowerCase();
  const short = SHORT_SLIPS.find(([pattern]) => pattern.test(word));
  return short?.[1] ?? nearestOf(chunk.folded, LONG_DOORS);
}

/** `åth`, `tfh`, `rh`: one extra letter, or a different first letter. */
const SHORT_SLIPS: readonly (readonly [RegExp, string])[] = [
  [/^(?:\p{L}th|t\p{L}h|th\p{L}|[^t\P{L}]h)$/u, 'th'],
  [/^(?:\p{L}tv|t\p{L}v|tv\p{L}|[^tns\P{L}]v)$/u, 'tv'],
  [/^(?:\p{L}mf|m\p{L}f|mf\p{L}|m\p{L}|\p{L}f)$/u, 'mf'],
];

const LONG_FLOORS = new Map([
  ['stuen', 'st'],
  ['stueetagen', 'st'],
  ['kaelder', 'kl'],
  ['kaelderen', 'kl'],
]);
const ORDINALS = new Map(
  [...FLOOR_WORDS].filter(([word, form]) => word.length > 5 && /^\d/.test(form)),
);
const LONG_DOORS = new Map([
  ['venstre', 'tv'],
  ['hoejre', 'th'],
  ['hojre', 'th'],
  ['midtfor', 'mf'],
  ['midten', 'mf'],
]);

/** The closest word for five or more letters; with six or more, two edits are allowed. */
function nearestOf(folded: string, words: ReadonlyMap<string, string>): string | null {
  if (folded.length < 5) return null;
  for (const [word, form] of words) {
    if (editsBetween(folded, word) <= (folded.length < 6 ? 1 : 2)) return form;
  }
  return null;
}
