import type { Container } from '../snapshot/format.ts';
import { lowerBound } from '../kernel/compare.ts';
import { CUT_ENDINGS } from './abbreviations.ts';
import { codesOf, EditMeter, keyOf, SHORT_KEY, shortKeyOf, threesOf } from './normalize.ts';

export interface NameMatch {
  readonly name: number;
  /** 1 for an abbreviated word. */
  readonly edits: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export type NameColumns = ReturnType<typeof readNames>;

/** Throws SnapshotRefused when a section is missing. */
export function readNames(from: Container<unknown>) {
  return {
    keys: from.bytes('index.keys'),
    keyStarts: from.words('index.keyStarts'),
    shorts: from.bytes('index.shorts'),
    shortStarts: from.words('index.shortStarts'),
    startNames: from.words('index.startNames'),
    startFroms: from.bytes('index.startFroms'),
    threeStarts: from.words('index.threeStarts'),
    threeNames: from.words('index.threeNames'),
  };
}

export class NameIndex {
  readonly #index: NameColumns;
  readonly #counts: Uint8Array;
  readonly #longest: number;
  readonly #meter = new EditMeter();

  constructor(columns: NameColumns) {
    this.#index = columns;
    const { keyStarts } = columns;
    this.#counts = new Uint8Array(keyStarts.length - 1);
    this.#longest = keyStarts.reduce((most, start, i) => {
      return Math.max(most, start - (keyStarts[i - 1] ?? 0));
    }, 0);
  }

  same(folded: string): readonly NameMatch[] {
    const found = new Map<number, number>();
    const add = (key: string, edits: number): void => {
      this.#visit(key, (name, from, isWhole) => {
        if (!isWhole) return false;
        const own = from === SHORT_KEY ? 1 : edits;
        if (from === 0 || from === SHORT_KEY) found.set(name, Math.min(found.get(name) ?? 9, own));
        return true;
      });
    };
    add(keyOf(folded), 0);
    for (const short of shortForms(folded)) add(short, short === keyOf(folded) ? 0 : 1);
    for (const whole of cutEndsOf(folded)) {
      add(keyOf(whole), 1);
      for (const short of shortForms(whole)) add(short, 1);
    }
    return [...found].map(([name, edits]) => ({ name, edits }));
  }

  /**
   * Names with a word that begins as the text. `rank` 0: the whole name; 1: its start; 2: inside.
   * May visit a name twice; `isShort`: with words shortened or spelt out.
   */
  beginning(
    folded: string,
    visit: (name: number, rank: 0 | 1 | 2, isShort: boolean) => void,
  ): void {
    const literal = keyOf(folded);
    for (const key of new Set([literal, ...shortForms(folded)])) {
      this.#visit(key, (name, from, isWhole) => {
        const isInside = from !== 0 && from !== SHORT_KEY;
        visit(name, isInside ? 2 : isWhole ? 0 : 1, key !== literal || from === SHORT_KEY);
        return true;
      });
    }
  }

  near(folded: string, mostEdits: number): readonly NameMatch[] {
    return this.#near(keyOf(folded), { mostEdits, isPrefix: false });
  }

  nearBeginning(folded: string, mostEdits: number): readonly NameMatch[] {
    return this.#near(keyOf(folded), { mostEdits, isPrefix: true });
  }

  firstLetter(name: number): number {
    return this.#index.keys[this.#index.keyStarts[name]!]!;
  }

  isLonger(name: number, length: number, codes: Uint8Array): boolean {
    const { keys, keyStarts } = this.#index;
    const from = keyStarts[name]!;
    return (
      keyStarts[name + 1]! - from > length && codes.every((code, i) => keys[from + i] === code)
    );
  }

  measure(folded: string): (name: number) => number {
    const meter = new EditMeter();
    meter.set(keyOf(folded));
    return (name) =>
      meter.edits(this.#index.keys, this.#index.keyStarts[name]!, this.#index.keyStarts[name + 1]!);
  }

  #near(
    key: string,
    { mostEdits, isPrefix }: { readonly mostEdits: number; readonly isPrefix: boolean },
  ): readonly NameMatch[] {
    if (key.length > this.#longest + mostEdits) return [];
    const { touched, needed } = this.#share(threesOf(codesOf(key), !isPrefix), mostEdits);
    this.#meter.set(key);
    const found: NameMatch[] = [];
    for (const name of touched) {
      const isLikely = this.#counts[name]! >= needed;
      this.#counts[name] = 0;
      if (!isLikely) continue;
      const from = this.#index.keyStarts[name]!;
      const to = this.#index.keyStarts[name + 1]!;
      if (!isPrefix && Math.abs(to - from - key.length) > mostEdits) continue;
      const edits = isPrefix
        ? this.#meter.editsToPrefix(this.#index.keys, from, to)
        : this.#meter.edits(this.#index.keys, from, to);
      if (edits <= mostEdits) found.push({ name, edits });
    }
    return found;
  }

  /** Counts in `#counts`. */
  #share(threes: number[], mostEdits: number): { touched: readonly number[]; needed: number } {
    const size = (three: number): number =>
      this.#index.threeStarts[three + 1]! - this.#index.threeStarts[three]!;
    threes.sort((a, b) => size(a) - size(b));
    // An edit changes at most three trigrams, so a near name shares some of these rarest.
    const rarest = Math.min(threes.length, 3 * mostEdits + 1);
    const touched: number[] = [];
    let counted = 0;
    for (const three of threes) {
      const isRare = counted < rarest;
      if (!isRare && size(three) > COMMON) break;
      counted += 1;
      for (
        let at = this.#index.threeStarts[three]!;
        at < this.#index.threeStarts[three + 1]!;
        at++
      ) {
        const name = this.#index.threeNames[at]!;
        if (this.#counts[name] !== 0) this.#counts[name]! += 1;
        else if (isRare) {
          this.#counts[name] = 1;
          touched.push(name);
        }
      }
    }
    return { touched, needed: Math.max(1, counted - 3 * mostEdits) };
  }

  /** In order, whole ones first, until `visit` returns false. */
  #visit(key: string, visit: (name: number, from: number, isWhole: boolean) => boolean): void {
    const codes = codesOf(key);
    const { startFroms, startNames } = this.#index;
    const all = { from: 0, to: startNames.length };
    let at = lowerBound(all, (start) => this.#compare(start, codes) < 0);
    for (; at < startNames.length; at++) {
      const order = this.#compare(at, codes);
      if (order > 1 || !visit(startNames[at]!, startFroms[at]!, order === 0)) return;
    }
  }

  /** Negative: before the key; 0: equal; 1: begins with it; 2: after it. */
  #compare(start: number, codes: Uint8Array): number {
    const { keys, keyStarts, shorts, shortStarts, startFroms, startNames } = this.#index;
    const name = startNames[start]!;
    const from = startFroms[start]!;
    const isShort = from === SHORT_KEY;
    const letters = isShort ? shorts : keys;
    const begin = isShort ? shortStarts[name]! : keyStarts[name]! + from;
    const end = isShort ? shortStarts[name + 1]! : keyStarts[name + 1]!;
    for (let i = 0; i < codes.length; i++) {
      if (begin + i >= end) return -1;
      const difference = letters[begin + i]! - codes[i]!;
      if (difference !== 0) return difference < 0 ? -1 : 2;
    }
    return begin + codes.length === end ? 0 : 1;
  }
}

/** Trigrams of more names are too common to count. */
const COMMON = 2_000;

/** `st` abbreviates two words. */
function shortForms(folded: string): readonly string[] {
  const short = shortKeyOf(folded);
  const isSaint = folded.startsWith('st ');
  return isSaint ? [short, shortKeyOf(`skt${folded.slice(2)}`)] : [short];
}

/** `vesterbrog` and `jens baggesens v` with full endings; an abbreviated word keeps two letters. */
export function cutEndsOf(folded: string): readonly string[] {
  const found = CUT_ENDINGS.find(([cut]) => folded.endsWith(cut) && folded.length > cut.length + 1);
  if (found === undefined) return [];
  const [cut, whole] = found;
  return [folded.slice(0, -cut.length) + whole];
}
