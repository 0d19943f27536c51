import {
  ABBREVIATED_DOORS,
  ABBREVIATED_FLOORS,
  DOOR_WORDS,
  FLOOR_WORDS,
  LIKENED_DOORS,
  LIKENED_FLOORS,
  UNSURE_DOORS,
  UNSURE_FLOORS,
} from '../../../layers/unit-words.ts';
import { lettersOf, nearestOf, slipsBetween } from '../../../names/slips.ts';

/** Original words that a reading corrects; null: read as written. */
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

export interface Vocabulary {
  readonly unsure: Words;
  readonly likened: Words;
  /** The cost of an abbreviation, however many letters are missing. */
  readonly abbreviated: Words;
  readonly abbreviation: number;
  readonly spellings: ReadonlyMap<string, readonly string[]>;
}

function vocabularyOf(sure: Words, words: Omit<Vocabulary, 'spellings'>): Vocabulary {
  const forms = Map.groupBy(sure, ([, form]) => form);
  const spellings = [...forms].map(
    ([form, own]) => [form, own.map(([word]) => lettersOf(word))] as const,
  );
  return { ...words, spellings: new Map(spellings) };
}

export const FLOORS = vocabularyOf(FLOOR_WORDS, {
  ...{ unsure: UNSURE_FLOORS, likened: LIKENED_FLOORS, abbreviated: ABBREVIATED_FLOORS },
  // Only cellars have `k tv`; it is no slip of `1. tv`.
  abbreviation: 0.5,
});
export const DOORS = vocabularyOf(DOOR_WORDS, {
  ...{ unsure: UNSURE_DOORS, likened: LIKENED_DOORS, abbreviated: ABBREVIATED_DOORS },
  abbreviation: 1,
});

/**
 * Edits from the folded written word to the register's; 0 where none is written. An empty register
 * word costs all written letters.
 */
export function slipsFrom(written: string | null, words: Vocabulary): (own: string) => number {
  if (written === null) return () => 0;
  const letters = lettersOf(written);
  const known = new Map<string, number>([[written, 0]]);
  const count = (own: string): number => {
    const spellings = [lettersOf(own), ...(words.spellings.get(own) ?? [])];
    const isShort = words.abbreviated.get(written) === own;
    return spellings.reduce(
      (least, spelling) =>
        Math.abs(spelling.length - letters.length) < least
          ? Math.min(least, slipsBetween(letters, spelling))
          : least,
      isShort ? words.abbreviation : Infinity,
    );
  };
  return (own) => {
    const slips = known.get(own) ?? count(own);
    known.set(own, slips);
    return slips;
  };
}

const slipsAllowed = (letters: number): number => (letters < 2 ? 0 : letters < 6 ? 1 : 2);

// `tu` is as near to tv as to th; `sl` is listed as st.
export const isOneOfForms = (
  written: string,
  { form, forms }: { readonly form: string; readonly forms: readonly string[] },
  words: Vocabulary,
): boolean => forms.length > 1 && words.unsure.get(written) !== form;

/** Forms of the lists come first. */
export function formsNear(
  written: string,
  words: Vocabulary,
  among: Words = words.likened,
): readonly string[] {
  const listed = words.unsure.get(written);
  const letters = lettersOf(written);
  const found = nearestOf(
    among,
    ([word]) => {
      const own = lettersOf(word);
      const most = slipsAllowed(Math.min(own.length, letters.length));
      if (Math.abs(own.length - letters.length) > most) return Infinity;
      const slips = slipsBetween(letters, own);
      return slips > most ? Infinity : slips;
    },
    2,
  ).map(([, form]) => form);
  return [...new Set(listed === undefined ? found : [listed, ...found])];
}
