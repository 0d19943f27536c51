import type { NameIndex } from '../../../names/name-index.ts';
import { normalize } from '../../../names/normalize.ts';
import { editsAllowed } from '../../../names/unread-names.ts';
import type { TextList } from '../../../snapshot/texts.ts';

interface DistrictColumns {
  readonly districts: TextList;
  readonly codes: Float64Array;
  readonly starts: Uint32Array;
  readonly municipalities: TextList;
  readonly names: NameIndex;
}

/** Some 9,000, so they are scanned; 0: none. */
export class DistrictNames {
  readonly #columns: DistrictColumns;
  /** Normalized, with a leading space. */
  readonly #keys: readonly string[];
  readonly #codes: readonly string[];
  readonly #municipalities: ReadonlyMap<string, number>;

  constructor(columns: DistrictColumns) {
    const { districts, codes, municipalities } = columns;
    this.#columns = columns;
    this.#keys = Array.from(
      { length: districts.count },
      (_, n) => ` ${normalize(districts.at(n))}`,
    );
    this.#codes = Array.from(codes, String);
    const all = Array.from({ length: municipalities.count }, (_, n) => municipalities.at(n));
    this.#municipalities = new Map(all.map((code, n) => [code, n]));
  }

  /** -1: no parcel lies in it. */
  municipality(code: string): number {
    return this.#municipalities.get(code) ?? -1;
  }

  withCode(code: number): readonly number[] {
    const { codes } = this.#columns;
    return Array.from(codes.keys()).filter((district) => district > 0 && codes[district] === code);
  }

  ofParcel(at: number): number {
    const { starts } = this.#columns;
    let [from, to] = [0, starts.length - 1];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if (starts[middle]! <= at) from = middle;
      else to = middle;
    }
    return from;
  }

  /** Includes districts that are not in the index. */
  mayFit(words: readonly string[], code: number): boolean {
    const { codes } = this.#columns;
    if (this.withCode(code).length === 0) return true;
    return [...this.fitting(words), ...this.near(words)].some(
      (district) => codes[district] === code,
    );
  }

  /** Every word begins a word of the name, or is the code. Best first. */
  fitting(words: readonly string[]): readonly number[] {
    const whole = ` ${words.join(' ')}`;
    const starts = words.map((word) => ` ${word}`);
    const ranked: [number[], number[], number[]] = [[], [], []];
    for (let district = 1; district < this.#keys.length; district++) {
      const key = this.#keys[district]!;
      const code = this.#codes[district]!;
      if (!starts.every((start, n) => key.includes(start) || code === words[n]!.replace(/^0+/, '')))
        continue;
      const rank = key === whole ? 0 : key.startsWith(whole) ? 1 : 2;
      ranked[rank].push(district);
    }
    return ranked.flat();
  }

  /** The name begins like the words, misspelt. Nearest first; none for words with digits. */
  near(words: readonly string[]): readonly number[] {
    const text = words.join(' ');
    if (/\d/.test(text)) return [];
    const { names } = this.#columns;
    for (let edits = 1; edits <= editsAllowed(text.length); edits++) {
      const found = names.nearBeginning(text, edits).map(({ name }) => name);
      if (found.length > 0) return found.sort((a, b) => a - b);
    }
    return [];
  }
}
