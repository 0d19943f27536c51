/** How many slips floors and doors are from the words that were written for them. */
import {
  BEGUN_DOORS,
  DOOR_WORDS,
  FLOOR_WORDS,
  LIKENED_DOORS,
  LIKENED_FLOORS,
  UNSURE_DOORS,
  UNSURE_FLOORS,
} from '../../../layers/unit-words.ts';
import { lettersOf, nearestOf, slipsOf } from '../../../names/slips.ts';

/** What was written where a reading takes it for another word; null where it is read as it is. */
export interface Mended {
  readonly houseNumber: string | null;
  readonly floor: string | null;
  readonly door: string | null;
  readonly postcode: string | null;
}

export const NOT_MENDED: Mended = { houseNumber: null, floor: null, door: null, postcode: null };

export const isMended = (mended: Mended): boolean =>
  Object.values(mended).some((written) => written !== null);

type Words = ReadonlyMap<string, string>;

interface Vocabulary {
  readonly sure: Words;
  readonly unsure: Words;
  readonly likened: Words;
  /** One slip from their form, however many letters are missing. */
  readonly begun: Words;
}

export const FLOORS: Vocabulary = {
  sure: FLOOR_WORDS,
  unsure: UNSURE_FLOORS,
  likened: LIKENED_FLOORS,
  begun: new Map(),
};
export const DOORS: Vocabulary = {
  sure: DOOR_WORDS,
  unsure: UNSURE_DOORS,
  likened: LIKENED_DOORS,
  begun: BEGUN_DOORS,
};

/** From a written word, folded, to the register's own, empty where it has none; 0 where none is written. */
export function wordSlips(written: string | null, own: string, words: Vocabulary): number {
  if (written === null) return 0;
  let least = slipsOf(written, own);
  if (words.begun.get(written) === own) least = Math.min(least, 1);
  for (const [word, form] of words.sure) {
    if (form === own) least = Math.min(least, slipsOf(written, word));
  }
  return least;
}

/** Of as many letters a word may have so many slips. */
const slipsAllowed = (letters: number): number => (letters < 2 ? 0 : letters < 6 ? 1 : 2);

/** The forms that a folded word may be misspelt for, that of the lists first; empty: none. */
export function formsNear(
  written: string,
  words: Vocabulary,
  among: Words = words.likened,
): readonly string[] {
  const listed = words.unsure.get(written);
  const { length } = lettersOf(written);
  const found = nearestOf(
    among,
    ([word]) => {
      const most = slipsAllowed(Math.min(lettersOf(word).length, length));
      const slips = slipsOf(written, word);
      return slips > most ? Infinity : slips;
    },
    2,
  ).map(([, form]) => form);
  return [...new Set(listed === undefined ? found : [listed, ...found])];
}
