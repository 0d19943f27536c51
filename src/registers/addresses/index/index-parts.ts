import { growingBytes, growingWords } from '../../../geo/growing.ts';
import type { Section } from '../../../snapshot/format.ts';
import { codeArray, packTexts } from '../../../snapshot/texts.ts';
import { compareIds, uuidInto } from './ids.ts';

export class IdColumn {
  readonly #what: string;
  readonly #bytes = growingBytes(1 << 16);
  #count = 0;

  constructor(what: string) {
    this.#what = what;
  }

  push(id: string): void {
    this.#bytes.reserve(16);
    const bytes = this.#bytes.items;
    if (!uuidInto(id, bytes, 16 * this.#count)) {
      throw new Error(`An index's ${this.#what} has the id ${id}, which is no UUID.`);
    }
    if (this.#count > 0 && compareIds(bytes, this.#count - 1, { bytes, at: this.#count }) >= 0) {
      throw new Error(`An index's ${this.#what} ids do not ascend at ${id}.`);
    }
    this.#bytes.length += 16;
    this.#count += 1;
  }

  view(): Uint8Array {
    return this.#bytes.view();
  }
}

/** Code 0 is null. */
export class TextColumn {
  readonly #codes = new Map<string, number>();
  readonly #rows = growingWords();

  push(text: string | null): void {
    this.#rows.push(this.codeOf(text));
  }

  codeOf(text: string | null): number {
    if (text === null) return 0;
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    this.#codes.set(text, this.#codes.size + 1);
    return this.#codes.size;
  }

  get rows(): Uint32Array {
    return this.#rows.view();
  }

  get texts(): readonly string[] {
    return [...this.#codes.keys()];
  }
}

export interface OrderedTexts {
  readonly texts: readonly string[];
  readonly codes: Uint32Array;
}

/** By a number, then alphabetically; null stays code 0. */
export function orderTexts(
  texts: readonly string[],
  orderOf: (text: string) => number = () => 0,
): OrderedTexts {
  const keyed = texts.map((text, i) => ({ text, order: orderOf(text), code: i + 1 }));
  keyed.sort((a, b) => a.order - b.order || (a.text < b.text ? -1 : 1));
  const codes = new Uint32Array(texts.length + 1);
  for (const [i, { code }] of keyed.entries()) codes[code] = i + 1;
  return { texts: keyed.map(({ text }) => text), codes };
}

export function recode(rows: Uint32Array, { codes }: OrderedTexts): Section {
  const packed = codeArray(rows.length, codes.length);
  for (let i = 0; i < rows.length; i++) packed[i] = codes[rows[i]!]!;
  return packed;
}

export function packCoded(name: string, texts: readonly string[]): Record<string, Section> {
  return packTexts(name, ['', ...texts]);
}

/** Each group sorted by `compare`, which must be a total order. */
export function groupRows(
  groupOf: ArrayLike<number>,
  groups: number,
  compare: (a: number, b: number) => number,
) {
  const starts = new Uint32Array(groups + 1);
  for (let i = 0; i < groupOf.length; i++) starts[groupOf[i]! + 1]! += 1;
  for (let g = 0; g < groups; g++) starts[g + 1]! += starts[g]!;
  const next = starts.slice();
  const members = new Uint32Array(groupOf.length);
  for (let i = 0; i < groupOf.length; i++) {
    const group = groupOf[i]!;
    members[next[group]!] = i;
    next[group]! += 1;
  }
  for (let g = 0; g < groups; g++) {
    if (starts[g + 1]! - starts[g]! > 1) members.subarray(starts[g], starts[g + 1]).sort(compare);
  }
  return { starts, members };
}
