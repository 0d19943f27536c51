/** Abbreviated road names in the text, `N. Bohrs Vej`, or in the register, `H.C. Ørsteds Vej`. */
import { SHORT } from '../../../names/abbreviations.ts';
import { normalize } from '../../../names/normalize.ts';

export interface NameWord {
  readonly folded: string;
  readonly isCut: boolean;
}

export function nameWords(name: string): readonly NameWord[] {
  const words: NameWord[] = [];
  for (const [, text = '', stop = ''] of name.matchAll(/([^\s.]+)(\.?)/g)) {
    for (const folded of normalize(text).split(' ')) {
      if (folded !== '') words.push({ folded, isCut: isCut(folded, stop !== '') });
    }
  }
  return words;
}

/** `Dor.`, `H`, `Chr`: with a full stop, a single letter, or without a vowel. */
function isCut(folded: string, hasStop: boolean): boolean {
  if (/\d/.test(folded)) return false;
  return hasStop || folded.length === 1 || !/[aeiouy]/.test(folded);
}

/** Word by word, where either may be abbreviated. */
export function isSameCut(a: readonly NameWord[], b: readonly NameWord[]): boolean {
  if (a.length === 0 || b.length === 0) return a.length === b.length;
  const [first, ...restOfA] = a;
  const [other, ...restOfB] = b;
  if (isSameWord(first!, other!) && isSameCut(restOfA, restOfB)) return true;
  const ofB = initialsFit(first!, b);
  if (ofB > 1 && isSameCut(restOfA, b.slice(ofB))) return true;
  const ofA = initialsFit(other!, a);
  if (ofA > 1 && isSameCut(a.slice(ofA), restOfB)) return true;
  return joined(a) === joined(b);
}

const joined = (words: readonly NameWord[]): string => words.map(({ folded }) => folded).join('');
const shortOf = (word: string): string => SHORT.get(word) ?? word;

function isSameWord(a: NameWord, b: NameWord): boolean {
  if (a.folded === b.folded || shortOf(a.folded) === shortOf(b.folded)) return true;
  // `Ph.` is not `P.`: different abbreviations do not match, except `Chr.` and `C.`
  if (a.isCut && b.isCut) return isShortened(a.folded, b.folded) || isShortened(b.folded, a.folded);
  if (!a.isCut && !b.isCut) return false;
  return a.isCut ? b.folded.startsWith(a.folded) : a.folded.startsWith(b.folded);
}

const KNOWN: ReadonlySet<string> = new Set(SHORT.values());

const isShortened = (known: string, initial: string): boolean =>
  initial.length === 1 && KNOWN.has(known) && known.startsWith(initial);

function initialsFit({ folded, isCut: mayBe }: NameWord, words: readonly NameWord[]): number {
  const { length } = folded;
  if (!mayBe || length < 2 || length > 3 || words.length <= length) return 0;
  const fits = folded.split('').every((letter, i) => words[i]!.folded.startsWith(letter));
  return fits ? length : 0;
}

/** Every abbreviated word of the name is also in the text, short or spelt out. */
export function hasItsCuts(written: readonly NameWord[], name: readonly NameWord[]): boolean {
  return written.every(
    (word) =>
      !word.isCut ||
      name.some(({ folded }) => folded === word.folded || shortOf(folded) === shortOf(word.folded)),
  );
}
