/** What a text may mean: `12a Hellerup`, `Hellerup, 12 a`, a district alone. */
import { normalize } from '../../../names/normalize.ts';

export interface Reading {
  /** In small letters; null: the text is of a district alone. */
  readonly number: string | null;
  /** Beginnings of words of the district's name, or its code. */
  readonly words: readonly string[];
}

const NUMBER = /^\d+[a-zæøå]{0,3}$/;
const DIGITS = /^\d+$/;
const LETTERS = /^[a-zæøå]{1,2}$/;

/** The likeliest first. */
export function readingsOf(text: string): readonly Reading[] {
  const pieces = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((piece) => piece !== '');
  const readings: Reading[] = [];
  const add = (number: readonly string[], rest: readonly string[]) =>
    readings.push({ number: number.join('') || null, words: rest.flatMap(wordsOf) });
  const isSplit = (at: number) =>
    DIGITS.test(pieces[at] ?? '') && LETTERS.test(pieces[at + 1] ?? '');
  if (isSplit(0)) add(pieces.slice(0, 2), pieces.slice(2));
  if (isSplit(pieces.length - 2)) add(pieces.slice(-2), pieces.slice(0, -2));
  if (NUMBER.test(pieces[0] ?? '')) add(pieces.slice(0, 1), pieces.slice(1));
  if (NUMBER.test(pieces.at(-1) ?? '')) add(pieces.slice(-1), pieces.slice(0, -1));
  add([], pieces);
  return readings;
}

function wordsOf(piece: string): readonly string[] {
  return normalize(piece)
    .split(' ')
    .filter((word) => word !== '');
}
