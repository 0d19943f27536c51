/** Without its heading. */
import { DOOR_WORDS, FLAT_WORDS, FLOOR_FILLERS, FLOOR_WORDS } from '../../layers/unit-words.ts';
import { foldedHeading } from './address-headings.ts';
import { textOf } from './cells.ts';
import type { Cell, Row } from './cells.ts';

/** A floor, a door, or both: `1. sal`, `st`, `tv`, `2. th`, `3.12`. */
const UNIT =
  /^(?:(?:\d{1,2}|st|stuen?|kl|kld|kælder|kælderen|k\d)\.?(?:\s*sal)?[\s,./-]*)?(?:tv|th|mf|t\.v|t\.h|m\.f|venstre|højre|midt|midtfor|\d{1,4})?\.?$/i;
const CLEAR =
  /^(?:.*\W)?(?:tv|th|mf|venstre|højre|midtfor|stuen|kælder|kælderen)\.?$|^\d{1,2}\.? ?sal\b/i;
/** Not surely a unit: `st` may also mean pieces. */
const GROUND = /^(?:st|kl|kld|\d{1,2}\.)\.?$/i;
const LETTER = /^(?:(?:opgang|opg|indgang|litra|bogstav)\.?[\s:]+)?\p{L}\.?$/iu;

export type Look =
  | 'unit'
  | 'ground'
  | 'letter'
  | 'house'
  | 'place'
  | 'postcode'
  | 'number'
  | 'name';

export function lookOf(text: string): Look | null {
  if (CLEAR.test(text) && UNIT.test(text)) return 'unit';
  if (GROUND.test(text)) return 'ground';
  const ofWords = unitOfWords(text);
  if (ofWords !== null) return ofWords;
  if (LETTER.test(text)) return 'letter';
  if (/^\d{1,3} ?[a-zæøå]$/i.test(text)) return 'house';
  if (/^(?:dk?[- ]?)?\d{4},? +\p{L}[\p{L} .-]*$/iu.test(text)) return 'place';
  if (/^(?:dk?[- ]?)?\d{4}(?:[.,]0+)?$/i.test(text)) return 'postcode';
  if (/^-?\d{1,3}(?:[.,]0+)?$/.test(text)) return 'number';
  return /^\p{L}[\p{L} .-]*$/u.test(text) ? 'name' : null;
}

/** `anden` and `2 right` may mean a floor or a door; `lejl. 4` means nothing else. */
function unitOfWords(text: string): 'unit' | 'ground' | null {
  const words = foldedHeading(text).match(/[a-z]+|\d+/g) ?? [];
  const isFlat = (word: string) => word.length > 2 && FLAT_WORDS.has(word);
  const isUnit = (word: string) => FLOOR_WORDS.has(word) || DOOR_WORDS.has(word);
  const isNumber = (word: string) => /^\d{1,4}$/.test(word);
  const isOfUnit = words.every(
    (word) => isUnit(word) || isFlat(word) || FLOOR_FILLERS.has(word) || isNumber(word),
  );
  if (!isOfUnit) return null;
  const hasFlat = words.some((word) => isFlat(word) || FLOOR_FILLERS.has(word));
  if (hasFlat && words.some((word) => isUnit(word) || isNumber(word))) return 'unit';
  return words.some(isUnit) ? 'ground' : null;
}

export function holdsUnits(rows: readonly Row[], place: number): boolean {
  let [isClear, isGround, isNumber] = [false, false, false];
  for (const row of rows) {
    const value = textOf(row[place]);
    if (value === null) continue;
    if (!UNIT.test(value)) return false;
    isClear ||= CLEAR.test(value);
    isGround ||= GROUND.test(value) && !/^\d/.test(value);
    isNumber ||= /^\d/.test(value);
  }
  return isClear || (isGround && isNumber);
}

/** An error of a spreadsheet, in any language; a formula that was not computed; a truth value. */
export function isUnreadable(cell: Cell): boolean {
  if (typeof cell === 'boolean') return true;
  return typeof cell === 'string' && /^\s*(?:#[\p{L}/0]{1,20}[!?]?$|=(?!"[^"]*"\s*$))/u.test(cell);
}

/** Says that there is no value: `-`, `NULL`, `nan`. */
export function isNothing(text: string): boolean {
  return (
    !/[\p{L}\p{N}]/u.test(text) ||
    /^(?:null|nan|none|n\/a|na|nil|<na>|\(null\)|false|falsk)$/i.test(text)
  );
}

const NUMBER = /^(\D*)0*(\d{1,3})(?:[.,]0+)?\s*(?=$|,)/;

/** Adds the letter to a house number, alone or the first of a text. */
export function withLetter(text: string, letter: string | null): string {
  const [, own] = /^(\p{L})\.?$/u.exec(letter ?? '') ?? [];
  return own === undefined ? text : text.replace(NUMBER, `$1$2${own.toUpperCase()}`);
}
