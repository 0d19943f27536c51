/**
 * Roads written with words cut short or as initials, `N. Bohrs Vej`, and names that the register has so,
 * `H.C. Ørsteds Vej`: which word stands for which.
 */
import { SHORT } from '../../../names/abbreviations.ts';
import { normalize } from '../../../names/normalize.ts';

export interface NameWord {
  readonly folded: string;
  /** It may be the beginning of a longer word. */
  readonly isCut: boolean;
}

/** Words of a name as it was written, full stops and all. */
export function nameWords(name: string): readonly NameWord[] {
  const words: NameWord[] = [];
  for (const [, text = '', stop = ''] of name.matchAll(/([^\s.]+)(\.?)/g)) {
    for (const folded of normalize(text).split(' ')) {
      if (folded !== '') words.push({ folded, isCut: isCut(folded, stop !== '') });
    }
  }
  return words;
}

/** `Dor.`, `H`, `Chr`: a full stop behind it, a letter alone, or no vowel. */
function isCut(folded: string, hasStop: boolean): boolean {
  if (/\d/.test(folded)) return false;
  return hasStop || folded.length === 1 || !/[aeiouy]/.test(folded);
}

/** Whether two names are one, word by word, where either may have cut words or initials. */
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
  // `Ph.` is no `P.`: of two cut words neither says what the other was, but for `Chr.` and `C.`
  if (a.isCut && b.isCut) return isShortened(a.folded, b.folded) || isShortened(b.folded, a.folded);
  if (!a.isCut && !b.isCut) return false;
  return a.isCut ? b.folded.startsWith(a.folded) : a.folded.startsWith(b.folded);
}

/** Short forms that everybody knows. */
const KNOWN: ReadonlySet<string> = new Set(SHORT.values());

const isShortened = (known: string, initial: string): boolean =>
  initial.length === 1 && KNOWN.has(known) && known.startsWith(initial);

/** How many words `HC` is the initials of; 0: it is none. */
function initialsFit({ folded, isCut: mayBe }: NameWord, words: readonly NameWord[]): number {
  const { length } = folded;
  if (!mayBe || length < 2 || length > 3 || words.length <= length) return 0;
  const fits = folded.split('').every((letter, i) => words[i]!.folded.startsWith(letter));
  return fits ? length : 0;
}

/** Whether every cut word of a name is one of another's as well, in its short form or whole. */
export function hasItsCuts(written: readonly NameWord[], name: readonly NameWord[]): boolean {
  return written.every(
    (word) =>
      !word.isCut ||
      name.some(({ folded }) => folded === word.folded || shortOf(folded) === shortOf(word.folded)),
  );
}
