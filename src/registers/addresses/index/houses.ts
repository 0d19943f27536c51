import { normalHouseNumber } from '../../../layers/address-text.ts';
import { chunksOf } from './chunks.ts';
import type { Chunk } from './chunks.ts';
import { FLOOR_FILLERS } from '../../../layers/unit-words.ts';
import { isFloor, isSide } from './tail.ts';

/**
 * How a house number was read. `rare`: accepted only on an exact match; `apart`: likewise, and not
 * a register's spelling (`Vej 1, 2`). `mended`: at most B. `guessed` (`1B` for 18) and `one of
 * several` (23 of `23-27`): at most C.
 */
export type HouseWay = 'plain' | 'rare' | 'apart' | 'mended' | 'guessed' | 'one of several';

export const isGuess = (way: HouseWay): boolean => way === 'guessed' || way === 'one of several';

export const isHeldToTheLetter = (way: HouseWay): boolean =>
  way === 'rare' || way === 'apart' || way === 'guessed';

export interface HouseFound {
  readonly houseNumber: string;
  readonly from: number;
  readonly roadFrom: number;
  readonly at: number;
  readonly after: number;
  /** What follows, unless it begins at `after`. */
  readonly tail?: readonly Chunk[];
  readonly way: HouseWay;
  readonly misread?: string;
}

const NUMBER = /^0*\d{1,4}[a-zæøå]?$/i;
/** `23-27`, `23/25`, `23A-C`. */
const RANGE = /^(\d{1,3})([a-zæøå]?)([-–/+&_])(\d{0,3})([a-zæøå]?)$/i;
/** `l8`, `1O`. */
const MISREAD = /^(?=.*\d)[lioIO|\d]{2,3}[a-hA-Z]?$/;
/** `1S`, `2B`, `S6A`, `Z5`: digits or the house's own letters. */
const MAYBE_MISREAD =
  /^(?=.*(?:[sSBzZ]|[GgqQ!][\da-hA-Z]))(?:(?=.*\d)[sSBzZGgqQ!lioIO|\d]{1,3}[a-hA-Z]?|[SB]{2}[A-H]?)$/;
/** `48+50+52`. */
const ROW = /^\d{1,3}[a-zæøå]?(?:[-–/+&_]\d{1,3}[a-zæøå]?){2,}$/i;

/** `st. 1` is not a road and its number. */
const UNIT_WORDS = new Set([
  ...['st', 'stuen', 'kl', 'kld', 'kaelder', 'tv', 'th', 'mf', 'venstre', 'hoejre', 'midtfor'],
  ...['sal', 'etage', 'lejl', 'lejlighed', 'doer', 'vaer', 'vaerelse'],
]);
const MOST_ROAD_WORDS = 6;

interface NumberFound {
  readonly houseNumber: string;
  readonly way: HouseWay;
  readonly unit?: string;
  readonly misread?: string;
}

const MAY_BE_NUMBER = /\d|^[SB]{2}[A-H]?$/;
const NONE: readonly NumberFound[] = [];

function numbersIn(text: string): readonly NumberFound[] {
  if (!MAY_BE_NUMBER.test(text)) return NONE;
  const found: NumberFound[] = [];
  const plain = NUMBER.test(text) ? normalHouseNumber(text) : null;
  if (plain !== null && plain.replace(/\D/g, '').length <= 3) {
    found.push({ houseNumber: plain, way: 'plain' });
  }
  found.push(...rangeIn(text));
  found.push(...unitGlued(text));
  found.push(...misreadIn(text));
  return found;
}

function misreadIn(text: string): readonly NumberFound[] {
  const found: NumberFound[] = [];
  if (MISREAD.test(text) && /[lioIO|]/.test(text)) {
    const digits = text.replace(/[liI|]/g, '1').replace(/[oO]/g, '0');
    const mended = normalHouseNumber(digits);
    if (mended !== null) found.push({ houseNumber: mended, way: 'mended', misread: text });
  }
  if (MAYBE_MISREAD.test(text)) {
    const [, digits = '', letter = ''] =
      /^((?:[sSBzZ!lioIO|\d]|[GgqQ](?=.))+)(.?)$/.exec(text) ?? [];
    // The last letter of `2SI` may be the house's own.
    const [, number = '', last = ''] = /^(.*\d.*|.*[sSB].*)([sSBiIoO])$/.exec(text) ?? [];
    for (const made of [asDigits(digits) + letter, number === '' ? '' : asDigits(number) + last]) {
      const mended = normalHouseNumber(made);
      if (mended !== null) found.push({ houseNumber: mended, way: 'guessed' });
    }
  } else if (/^[1-9]\d{0,2}8$/.test(text)) {
    found.push({ houseNumber: `${text.slice(0, -1)}B`, way: 'guessed' });
  }
  return found;
}

function unitGlued(text: string): readonly NumberFound[] {
  // `121tv`: number 12, 1. tv, or number 121.
  const [, digits = '', last = '', door = ''] = /^(\d{1,3})(\d)(tv|th|mf)$/i.exec(text) ?? [];
  if (digits !== '') {
    return [
      { houseNumber: digits, way: 'guessed', unit: last + door },
      { houseNumber: digits + last, way: 'guessed', unit: door },
    ];
  }
  // `12A1`; `12k2tv`: 12K, 2. tv, or number 12, second floor below ground.
  const [, house = '', letter = '', floor = '', side = ''] =
    /^(\d{1,3})([a-zæøå])(\d)\.?(tv|th|mf|)$/i.exec(text) ?? [];
  const houseNumber = normalHouseNumber(house + letter);
  if (house === '' || houseNumber === null) return [];
  const unit = side === '' ? floor : `${floor}. ${side}`;
  const own: NumberFound = { houseNumber, way: 'plain', unit };
  if (!/^k$/i.test(letter) || floor < '2') return [own];
  return [own, { houseNumber: normalHouseNumber(house)!, way: 'rare', unit: `k${floor}. ${side}` }];
}

/** `23-27`, `23A-C`, `4+1` are several houses; `42-A` is a letter, unless there is also a 42. */
function rangeIn(text: string): readonly NumberFound[] {
  if (ROW.test(text)) return rowIn(text.split(/[-–/+&_]/));
  const [, first = '', letter = '', sign = '', last = '', lastLetter = ''] = RANGE.exec(text) ?? [];
  if (first === '') return [];
  const several = (houseNumber: string): NumberFound => ({ houseNumber, way: 'one of several' });
  const from = normalHouseNumber(first + letter)!;
  // `64+`: this house and the next ones.
  if (last + lastLetter === '') return sign === '+' ? [several(from)] : [];
  const to = normalHouseNumber((last || first) + lastLetter)!;
  if (last === '' && letter === '' && sign !== '+') {
    return [{ houseNumber: to, way: 'rare' }, several(from)];
  }
  const isRange = last === '' || sign === '+' || Number(last) > Number(first);
  const both = isRange ? [several(from), several(to)] : [];
  if (last === '' || sign === '+') return both;
  const way = isRange ? 'rare' : 'plain';
  return [...both, { houseNumber: from, way, unit: last + lastLetter }];
}

function rowIn(numbers: readonly string[]): readonly NumberFound[] {
  const isRow = numbers.every(
    (each, i) => i === 0 || parseInt(each, 10) > parseInt(numbers[i - 1]!, 10),
  );
  if (!isRow) return [];
  return numbers.map((each) => ({ houseNumber: normalHouseNumber(each)!, way: 'one of several' }));
}

/** Numbers after their road first; likeliest first. */
export function housesOf(chunks: readonly Chunk[]): readonly HouseFound[] {
  const found: HouseFound[] = [];
  const numbers = chunks.map(({ text, isBelow }) => (isBelow ? NONE : numbersIn(text)));
  for (const [i, own] of numbers.entries()) {
    for (const number of own) {
      found.push(...housesAt(chunks, { i, number, road: roadBefore(chunks, i) }));
      found.push(...housesAt(chunks, { i, number, road: sectionBefore(chunks, i) }));
    }
  }
  for (const [i, [number]] of numbers.entries()) {
    const house = number === undefined ? null : houseBeforeRoad(chunks, i, number);
    if (house !== null) found.push(house);
  }
  return found;
}

interface RoadFound {
  readonly from: number;
  readonly isNumbered: boolean;
  /** A comma follows a road that ends in a number: it may be a house with a floor. */
  readonly isApart: boolean;
}

function roadBefore(chunks: readonly Chunk[], i: number): RoadFound | null {
  const { part, hasStop } = chunks[i]!;
  let from = startOfPart(chunks, i);
  const isNumbered = from < i && isFiller(chunks[i - 1]!);
  // `Nørregade, 12` and `Vej 1, nr. 2`: the number is alone after a comma.
  const isAlone = from === (isNumbered ? i - 1 : i) && from > 0 && !hasStop;
  const isApart = isAlone && !/[a-z]/.test(chunks[from - 1]!.folded);
  if (isAlone) from = startOfPart(chunks, from - 1);
  // `1. th Granparken 74`.
  const isUnitBefore = i - from > 2 && isSide(chunks[from + 1]!);
  if (isUnitBefore && isFloor(chunks[from]!, chunks[from + 1])) from += 2;
  const hasWords = chunks
    .slice(from, i)
    .some(({ folded }) => /[a-z]{2}/.test(folded) && !UNIT_WORDS.has(folded));
  return hasWords && (isAlone || chunks[from]!.part === part)
    ? { from, isNumbered, isApart }
    : null;
}

/** `Haveby, Afd. 3, 45`: a road with a comma before its numbered part. */
function sectionBefore(chunks: readonly Chunk[], i: number): RoadFound | null {
  const road = roadBefore(chunks, i);
  if (road === null || road.from === 0) return null;
  const end = road.isNumbered ? i - 2 : i - 1;
  const section = chunks[end];
  if (section === undefined || end <= road.from || !/^\d{1,4}[a-z]?$/.test(section.folded))
    return null;
  const from = startOfPart(chunks, road.from - 1);
  const hasWord = chunks.slice(from, road.from).some(({ folded }) => /[a-z]/.test(folded));
  return hasWord ? { ...road, from, isApart: true } : null;
}

function startOfPart(chunks: readonly Chunk[], at: number): number {
  let from = at;
  while (from > 0 && chunks[from - 1]!.part === chunks[at]!.part) from -= 1;
  return from;
}

function housesAt(
  chunks: readonly Chunk[],
  {
    i,
    number,
    road,
  }: { readonly i: number; readonly number: NumberFound; readonly road: RoadFound | null },
): HouseFound[] {
  if (road === null) return [];
  const chunk = chunks[i]!;
  const { from: roadFrom, isNumbered } = road;
  const { houseNumber, unit, misread } = number;
  const next = chunks[i + 1];
  const way = wayAt(chunks, i, { number, road });
  const start = { from: roadFrom, roadFrom, way, ...(misread === undefined ? {} : { misread }) };
  if (unit !== undefined) {
    const end = chunk.hasStop ? '.' : '';
    const glued = chunksOf(unit + end).map((each) => ({ ...each, part: chunk.part }));
    const tail = [...glued, ...chunks.slice(i + 1)];
    return [{ ...start, houseNumber, at: i, after: i + 1, tail }];
  }
  const found: HouseFound[] = [];
  // `12 A-C`.
  const letters = /^(?!c\/o)([a-zæøå])[-/+][a-zæøå]$/i.exec(next?.text ?? '')?.[1];
  if (letters !== undefined && next?.part === chunk.part && /^\d+$/.test(houseNumber)) {
    const several = { ...start, houseNumber: houseNumber + letters.toUpperCase(), at: i };
    found.push({ ...several, after: i + 2, way: 'one of several' });
  }
  const letter = letterAfter(chunks, i);
  // `Vestergade tv 12, 1.`
  if (i - roadFrom > 1 && isSide(chunks[i - 1]!)) {
    const tail = chunks.filter((_, at) => at === i - 1 || at > i);
    found.push({ ...start, houseNumber, at: i - 1, after: i + 1, tail });
  }
  for (const at of isNumbered && i - roadFrom > 1 ? [i - 1, i] : [i]) {
    // `Vej 10 Nr` may also be a road.
    const isRare = isNumbered && at === i && way === 'plain';
    const own = isRare ? { ...start, way: 'rare' as const } : start;
    if (letter !== null)
      found.push({ ...own, houseNumber: houseNumber + letter, at, after: i + 2 });
    found.push({ ...own, houseNumber, at, after: i + 1 });
  }
  return found;
}

function wayAt(
  chunks: readonly Chunk[],
  i: number,
  { number, road }: { readonly number: NumberFound; readonly road: RoadFound },
): HouseWay {
  if (number.way !== 'plain') return number.way;
  const [{ hasStop, part }, next] = [chunks[i]!, chunks[i + 1]];
  // `2.` of `Vej ll 2. sal` is a floor.
  const isFloorTold = hasStop && next?.part === part && FLOOR_FILLERS.has(next.folded);
  if (isFloorTold && number.unit === undefined) return 'guessed';
  // `Vej 1, 2` may also be a floor of Vej 1.
  return road.isApart ? 'apart' : 'plain';
}

const isFiller = ({ folded }: Chunk): boolean => /^(nr|no|nummer)$/.test(folded);

/** `26 Møllemarksvej, 2. tv`, `26, Møllemarksvej`, `nr. 26 Møllemarksvej`, `8 Ring 4`. */
function houseBeforeRoad(
  chunks: readonly Chunk[],
  i: number,
  { houseNumber, unit, way: asRead, misread }: NumberFound,
): HouseFound | null {
  const chunk = chunks[i]!;
  const before = chunks[i - 1];
  const at = before?.part === chunk.part && isFiller(before) ? i - 1 : i;
  const isFirst = at === 0 || chunks[at - 1]!.part !== chunk.part;
  if (!isFirst || (chunk.hasStop && i > 0) || unit !== undefined) return null;
  const from = i + 1;
  const part = chunks[from]?.part;
  // A number alone in its part has a road only at the start of the text.
  if (part === undefined || (part !== chunk.part && at > 0)) return null;
  const to = endOfRoad(chunks, from);
  if (!chunks.slice(from, to).some(({ folded }) => /[a-z]{3}/.test(folded))) return null;
  const isNumbered = isNumberAtEnd(chunks, to, part);
  const isApart = part !== chunk.part;
  if (isApart && !isNumbered && chunks[to]?.part === part) return null;
  const end = isNumbered ? to + 1 : to;
  const way = asRead === 'plain' ? wayBefore(chunk, isApart && isNumbered) : asRead;
  const found = { houseNumber, from: at, roadFrom: from, at: end, after: end, way };
  return misread === undefined ? found : { ...found, misread };
}

function wayBefore({ hasStop }: Chunk, mayBeNumbered: boolean): HouseWay {
  // `7. Ægirsvej`, as `1. Maj Vej` is a road.
  if (hasStop) return 'guessed';
  // Number 4, unless a road is called `26, Møllemarksvej`.
  return mayBeNumbered ? 'apart' : 'rare';
}

function endOfRoad(chunks: readonly Chunk[], from: number): number {
  const { part } = chunks[from]!;
  let to = from;
  while (to < from + MOST_ROAD_WORDS && chunks[to]?.part === part) {
    const isWord =
      /^[a-z]/.test(chunks[to]!.folded) && !(to > from && isFloor(chunks[to]!, chunks[to + 1]));
    if (!isWord && !isOrdinal(chunks, to)) break;
    to += 1;
  }
  return to;
}

function isOrdinal(chunks: readonly Chunk[], at: number): boolean {
  const next = chunks[at + 1];
  const isBefore = next?.part === chunks[at]!.part && /^[a-z]{3}/.test(next.folded);
  return isBefore && /^\d{1,2}s?$/.test(chunks[at]!.folded);
}

/** `Ring 4`. */
function isNumberAtEnd(chunks: readonly Chunk[], at: number, part: number): boolean {
  const chunk = chunks[at];
  if (chunk?.part !== part || chunk.hasStop || !/^\d{1,4}$/.test(chunk.folded)) return false;
  return chunks[at + 1]?.part !== part;
}

/** `12 A`. */
function letterAfter(chunks: readonly Chunk[], i: number): string | null {
  const next = chunks[i + 1];
  if (next?.part !== chunks[i]!.part || !/^\d+$/.test(chunks[i]!.text)) return null;
  return /^[a-zæøå]$/i.test(next.text) ? next.text.toUpperCase() : null;
}

const DIGITS: Readonly<Record<string, string>> = {
  ...{ l: '1', i: '1', '|': '1', '!': '1', o: '0', s: '5', b: '8', z: '2' },
  ...{ Q: '0', G: '6', g: '9', q: '9' },
};
export const asDigits = (text: string): string =>
  text.replace(/[lioz|!sbgq]/gi, (letter) => DIGITS[letter] ?? DIGITS[letter.toLowerCase()]!);
