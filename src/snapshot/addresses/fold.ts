/**
 * How texts are compared: letters and digits only, lower case, the Danish letters spelt out, so that
 * `Åboulevarden`, `AABOULEVARDEN` and `aa-boulevarden` are one. And how far apart two texts are.
 */

const SPELT: Readonly<Record<string, string>> = { æ: 'ae', ø: 'oe', å: 'aa', ä: 'ae', ö: 'oe' };
const MARKS = /[\u0300-\u036f]/g;

/** Words of `a-z0-9` with one space between. */
export function fold(text: string): string {
  let folded = '';
  let isGap = false;
  for (const letter of text.toLowerCase()) {
    const plain = foldLetter(letter);
    if (plain === "'") continue;
    if (plain === '') {
      isGap = folded !== '';
      continue;
    }
    folded += isGap ? ` ${plain}` : plain;
    isGap = false;
  }
  return folded;
}

function foldLetter(letter: string): string {
  if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) return letter;
  if (letter === "'" || letter === '’' || letter === '´' || letter === '`') return "'";
  const spelt = SPELT[letter];
  if (spelt !== undefined) return spelt;
  if (letter < '\u00c0') return '';
  const bare = letter.normalize('NFD').replace(MARKS, '');
  return /^[a-z0-9]+$/.test(bare) ? bare : '';
}

/** A folded text without its spaces: `nørre gade` and `Nørregade` have one key. */
export function keyOf(folded: string): string {
  return folded.replaceAll(' ', '');
}

/** Words people shorten, each as its short form. */
const SHORT: Readonly<Record<string, string>> = {
  gammel: 'gl',
  gamle: 'gl',
  gml: 'gl',
  noerre: 'nr',
  nordre: 'nr',
  ndr: 'nr',
  n: 'nr',
  soender: 'sdr',
  soendre: 'sdr',
  s: 'sdr',
  oester: 'oe',
  oestre: 'oe',
  vester: 'v',
  vestre: 'v',
  vestr: 'v',
  sankt: 'skt',
  sct: 'skt',
  sankte: 'skt',
  store: 'st',
  str: 'st',
  lille: 'll',
  doktor: 'dr',
  professor: 'prof',
  kongens: 'kgs',
  christian: 'chr',
  frederik: 'fr',
  alle: 'all',
  allee: 'all',
  boulevard: 'blvd',
  boul: 'blvd',
  plads: 'pl',
};

/** The key of a folded text with every word that has a short form in it. */
export function shortKeyOf(folded: string): string {
  if (!folded.includes(' ')) return folded;
  return folded
    .split(' ')
    .map((word) => SHORT[word] ?? word)
    .join('');
}

const CODES = new Uint8Array(128);
for (let i = 0; i < 10; i++) CODES[48 + i] = 1 + i;
for (let i = 0; i < 26; i++) CODES[97 + i] = 11 + i;
/** Letters of a key as numbers from 1; 0 stands for its ends. */
export const ALPHABET = 37;

export function codesOf(key: string): Uint8Array {
  const codes = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i++) codes[i] = CODES[key.charCodeAt(i)]!;
  return codes;
}

/** In place of a word's offset in its key: the key is that with shortened words. */
export const SHORT_KEY = 255;

/** The distinct threes of a text whose start counts as a letter, and its end if `closed`. */
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

/** Longest key that is measured; what is beyond is cut off. */
const MEASURED = 31;

/**
 * Counts edits (insert, delete, replace) from one text to many, a word of bits a step (Myers 1999).
 */
export class EditMeter {
  readonly #places = new Uint32Array(ALPHABET);
  #length = 0;
  #key = '';

  set(key: string): void {
    this.#key = key.slice(0, MEASURED);
    this.#length = this.#key.length;
    this.#places.fill(0);
    for (let i = 0; i < this.#length; i++) {
      this.#places[CODES[this.#key.charCodeAt(i)]!]! |= 1 << i;
    }
  }

  get length(): number {
    return this.#length;
  }

  /** Edits to the letters `codes[from]` up to `codes[to]`. */
  edits(codes: Uint8Array, from: number, to: number): number {
    return this.#run({ codes, from, to: Math.min(to, from + MEASURED) }, false);
  }

  /** Least edits to any beginning of those letters. */
  editsToPrefix(codes: Uint8Array, from: number, to: number): number {
    return this.#run({ codes, from, to: Math.min(to, from + MEASURED) }, true);
  }

  #run(
    { codes, from, to }: { readonly codes: Uint8Array; readonly from: number; readonly to: number },
    isPrefix: boolean,
  ): number {
    const length = this.#length;
    if (length === 0) return isPrefix ? 0 : to - from;
    const last = 1 << (length - 1);
    let plus = -1;
    let minus = 0;
    let score = length;
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
    return isPrefix ? least : score;
  }
}

const meter = new EditMeter();

/** Edits between two folded texts, spaces aside. */
export function editsBetween(a: string, b: string): number {
  if (a === b) return 0;
  meter.set(keyOf(a));
  const codes = codesOf(keyOf(b));
  return meter.edits(codes, 0, codes.length);
}
