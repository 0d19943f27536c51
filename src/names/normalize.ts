/**
 * Folding for comparison: lower case, Danish letters spelt out, so `Åboulevarden` and
 * `aa-boulevarden` are equal.
 */

import { SHORT } from './abbreviations.ts';

const SPELT: Readonly<Record<string, string>> = { æ: 'ae', ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe' };
const MARKS = /[\u0300-\u036f]/g;

/**
 * Words of `a-z0-9`, one space between. A letter of another script becomes `x`, so that it counts;
 * other characters separate words.
 */
export function normalize(text: string): string {
  let folded = '';
  let isGap = false;
  for (const letter of text.normalize('NFC').toLowerCase()) {
    const plain = normalizeLetter(letter);
    if (plain === null) continue;
    if (plain === '') {
      isGap = folded !== '';
      continue;
    }
    folded += isGap ? ` ${plain}` : plain;
    isGap = false;
  }
  return folded;
}

/** Empty for separators, null for characters inside words. */
function normalizeLetter(letter: string): string | null {
  if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) return letter;
  const spelt = SPELT[letter];
  if (spelt !== undefined) return spelt;
  if (letter === "'" || letter === '’' || letter === '´' || letter === '`') return null;
  if (letter < '\u00c0') return '';
  const bare = letter.normalize('NFD').replace(MARKS, '');
  if (bare === '') return null;
  if (/^[a-z0-9]+$/.test(bare)) return bare;
  return /[\p{L}\p{N}]/u.test(letter) ? 'x' : '';
}

/** Without spaces: `nørre gade` and `Nørregade` have one key. */
export function keyOf(folded: string): string {
  return folded.replaceAll(' ', '');
}

/**
 * The key in short forms, with numbers of kings and roads unified: `christian den 8 s vej` is `chr
 * 8 vej`.
 */
export function shortKeyOf(folded: string): string {
  if (!folded.includes(' ')) return folded;
  const words = folded.split(' ');
  let key = '';
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const isBesideNumber =
      i > 0 &&
      (word === 's' ? isNumber(words[i - 1]) : BEFORE_NUMBER.has(word) && isNumber(words[i + 1]));
    if (!isBesideNumber) key += SHORT.get(word) ?? word;
  }
  return key;
}

/** Words without meaning before the number of a king or road. */
const BEFORE_NUMBER: ReadonlySet<string> = new Set(['den', 'd', 'nr']);

function isNumber(word: string | undefined): boolean {
  if (word === undefined) return false;
  const short = SHORT.get(word) ?? word;
  return /^\d{1,4}$/.test(short);
}

const CODES = new Uint8Array(128);
for (let i = 0; i < 10; i++) CODES[48 + i] = 1 + i;
for (let i = 0; i < 26; i++) CODES[97 + i] = 11 + i;
/** Letters of a key from 1; 0 is its ends. */
export const ALPHABET = 37;

export function codesOf(key: string): Uint8Array {
  const codes = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i++) codes[i] = CODES[key.charCodeAt(i)]!;
  return codes;
}

/** In place of a word's offset: an abbreviated key. */
export const SHORT_KEY = 255;

/** Distinct trigrams; the start counts as a letter, the end if `closed`. */
export function threesOf(codes: Uint8Array, closed: boolean): number[] {
  const threes: number[] = [];
  const last = codes.length - (closed ? 1 : 2);
  for (let i = 0; i <= last; i++) {
    const three =
      ((codes[i - 1] ?? 0) * ALPHABET + (codes[i] ?? 0)) * ALPHABET + (codes[i + 1] ?? 0);
    if (!threes.includes(three)) threes.push(three);
  }
  return threes;
}

const WORD_BITS = 31;

/** Insert, delete, replace; bit-parallel (Myers 1999). */
export class EditMeter {
  readonly #places = new Uint32Array(ALPHABET);
  #codes: Uint8Array = new Uint8Array(0);
  #least = 0;

  set(key: string): void {
    this.#codes = codesOf(key);
    if (this.#codes.length > WORD_BITS) return;
    this.#places.fill(0);
    for (const [i, code] of this.#codes.entries()) this.#places[code]! |= 1 << i;
  }

  get length(): number {
    return this.#codes.length;
  }

  edits(codes: Uint8Array, from: number, to: number): number {
    if (this.#codes.length === 0) return to - from;
    if (this.#codes.length <= WORD_BITS) return this.#byWord(codes, from, to);
    return this.#byLetter(codes.subarray(from, to));
  }

  editsToPrefix(codes: Uint8Array, from: number, to: number): number {
    if (this.#codes.length === 0) return 0;
    this.edits(codes, from, to);
    return this.#least;
  }

  #byWord(codes: Uint8Array, from: number, to: number): number {
    const last = 1 << (this.#codes.length - 1);
    let plus = -1;
    let minus = 0;
    let score = this.#codes.length;
    let least = score;
    for (let at = from; at < to; at++) {
      const match = this.#places[codes[at]!]!;
      const vertical = match | minus;
      const diagonal = (((match & plus) + plus) ^ plus) | match;
      const up = minus | ~(diagonal | plus);
      const down = plus & diagonal;
      if ((up & last) !== 0) score += 1;
      else if ((down & last) !== 0) score -= 1;
      if (score < least) least = score;
      const shifted = (up << 1) | 1;
      plus = (down << 1) | ~(vertical | shifted);
      minus = shifted & vertical;
    }
    this.#least = least;
    return score;
  }

  #byLetter(other: Uint8Array): number {
    const own = this.#codes;
    let column = Array.from({ length: own.length + 1 }, (_, i) => i);
    let least = own.length;
    for (const [j, code] of other.entries()) {
      const next = [j + 1];
      for (let i = 0; i < own.length; i++) {
        const replaced = column[i]! + (own[i] === code ? 0 : 1);
        next.push(Math.min(column[i + 1]! + 1, next[i]! + 1, replaced));
      }
      column = next;
      least = Math.min(least, column[own.length]!);
    }
    this.#least = least;
    return column[own.length]!;
  }
}

const meter = new EditMeter();

/** Ignoring spaces. */
export function editsBetween(a: string, b: string): number {
  if (a === b) return 0;
  const [one, other] = [keyOf(a), keyOf(b)];
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  meter.set(short);
  return meter.edits(codesOf(long), 0, long.length);
}
