/** Readings of `12a Hellerup`, `Hellerup, matr.nr. 12 a`, `12851-12a`, or a district alone. */
import { DISTRICT_WORDS, NUMBER_WORDS, parcelNumberOf } from '../../../layers/parcel-text.ts';
import { normalize } from '../../../names/normalize.ts';

export interface Reading {
  /** null: a district alone. */
  readonly number: string | null;
  /** Beginnings of words of the district's name, or its code. */
  readonly words: readonly string[];
}

const NUMBER = /^\d+[a-zæøå]{0,3}$/;
const DIGITS = /^\d+$/;
const LETTERS = /^[a-zæøå]{1,3}$/;

/** Labels, and a municipality at the end. */
const AROUND = [/,[^,]* kommune[\s.,]*$/, / \S+ kommune[\s.,]*$/, DISTRICT_WORDS, NUMBER_WORDS];

/** Likeliest first: as written, then without labels. */
export function readingsOf(text: string): readonly Reading[] {
  const written = text.normalize('NFC').toLowerCase();
  const bare = AROUND.reduce((rest, words) => rest.replace(words, ' , '), written);
  return [written, bare].flatMap((each, n) => (n > 0 && each === written ? [] : readingsIn(each)));
}

function readingsIn(text: string): readonly Reading[] {
  const pieces = text.split(/[\s,;:()/–-]+/).filter((piece) => normalize(piece) !== '');
  const readings: Reading[] = [];
  const add = (at: number, length: number) => {
    const number = parcelNumberOf(pieces.slice(at, at + length).join(' '));
    readings.push({ number, words: pieces.toSpliced(at, length).flatMap(wordsOf) });
  };
  const isSplit = (at: number) =>
    DIGITS.test(pieces[at] ?? '') && LETTERS.test(pieces[at + 1] ?? '');
  const middle = pieces.keys().toArray().slice(1, -1);
  if (isSplit(0)) add(0, 2);
  if (pieces.length > 2 && isSplit(pieces.length - 2)) add(pieces.length - 2, 2);
  if (NUMBER.test(pieces[0] ?? '')) add(0, 1);
  if (pieces.length > 1 && NUMBER.test(pieces.at(-1) ?? '')) add(pieces.length - 1, 1);
  for (const at of middle) {
    if (isSplit(at) && at < pieces.length - 2) add(at, 2);
    if (NUMBER.test(pieces[at]!)) add(at, 1);
  }
  readings.push({ number: null, words: pieces.flatMap(wordsOf) });
  return readings;
}

function wordsOf(piece: string): readonly string[] {
  return normalize(piece)
    .split(' ')
    .filter((word) => word !== '');
}
