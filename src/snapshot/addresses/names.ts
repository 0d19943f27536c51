/**
 * Road names indexed: by key, by the beginning of any of their words, and by their threes of letters
 * for what is misspelt. Built once from the distinct names of a book, not from its addresses.
 */
import { growingBytes } from '../../geo/growing.ts';
import type { OpenAddressBook } from './book.ts';
import { ALPHABET, codesOf, EditMeter, fold, keyOf, shortKeyOf } from './fold.ts';

/** A name that is like the one asked for. */
export interface NameMatch {
  /** Code of the name in the book. */
  readonly name: number;
  /** Edits between the texts; 1 for a word in its short form. */
  readonly edits: number;
}

/** A run of rows: `rows[from]` up to `rows[to]`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const THREES = ALPHABET ** 3;
/** Separates a key from the code of its name in a sorted list of texts. */
const MARK = '\u0001';
/** Behind the mark: where in the name the words begin. */
const AT_START = '0';
const INSIDE = '1';

export class NameIndex {
  /** Roads by name, also by short name: `roads` of a name are `roadsOf(name)`. */
  readonly roads: Uint32Array;
  /** Addresses on the roads of a name. */
  readonly weights: Uint32Array;
  readonly #roadStarts: Uint32Array;
  readonly #formerStarts: Uint32Array;
  readonly #keys = new Map<string, number[]>();
  readonly #shortKeys = new Map<string, number[]>();
  readonly #starts: readonly string[];
  readonly #startNames: Uint32Array;
  readonly #codes: Uint8Array;
  readonly #codeStarts: Uint32Array;
  readonly #threeStarts = new Uint32Array(THREES + 1);
  readonly #threeNames: Uint32Array;
  readonly #counts: Uint8Array;
  readonly #meter = new EditMeter();

  constructor({ columns, roadCount, formerCount }: OpenAddressBook) {
    const count = columns.names.count;
    const codes = growingBytes(16 * count);
    const starts: string[] = [];
    this.#codeStarts = new Uint32Array(count + 1);
    for (let name = 1; name < count; name++) {
      const folded = fold(columns.names.at(name));
      const key = keyOf(folded);
      this.#codeStarts[name] = codes.length;
      codes.append(codesOf(key));
      note(this.#keys, key, name);
      const short = shortKeyOf(folded);
      if (short !== key) note(this.#shortKeys, short, name);
      for (const start of startsOf(folded, key, short)) {
        const place = start === key || start === short ? AT_START : INSIDE;
        starts.push(start + MARK + place + name.toString(36));
      }
    }
    this.#codeStarts[count] = codes.length;
    this.#codes = codes.view().slice();
    starts.sort();
    this.#starts = starts;
    this.#startNames = Uint32Array.from(starts, (text) =>
      parseInt(text.slice(text.indexOf(MARK) + 2), 36),
    );
    this.#threeNames = this.#layThrees(count);
    this.#counts = new Uint8Array(count);
    const { starts: roadStarts, roads } = roadsByName(columns, { roadCount, count });
    this.#roadStarts = roadStarts;
    this.roads = roads;
    this.weights = new Uint32Array(count);
    for (let road = 0; road < roadCount; road++) {
      const addresses = columns.roadStarts[road + 1]! - columns.roadStarts[road]!;
      this.weights[columns.roadName[road]!]! += addresses;
    }
    this.#formerStarts = new Uint32Array(count + 1);
    for (let i = 0; i < formerCount; i++) this.#formerStarts[columns.formerName[i]! + 1]! += 1;
    for (let name = 0; name < count; name++) {
      this.#formerStarts[name + 1]! += this.#formerStarts[name]!;
    }
  }

  /** Where the roads of a name stand in `roads`. */
  roadsOf(name: number): Span {
    return { from: this.#roadStarts[name]!, to: this.#roadStarts[name + 1]! };
  }

  /** Which former names of addresses bear this road name. */
  formerOf(name: number): Span {
    return { from: this.#formerStarts[name]!, to: this.#formerStarts[name + 1]! };
  }

  /** Names that are the folded text, or are it with words shortened or spelt out. */
  same(folded: string): readonly NameMatch[] {
    const found = (this.#keys.get(keyOf(folded)) ?? []).map((name) => ({ name, edits: 0 }));
    const add = (names: readonly number[] | undefined): void => {
      for (const name of names ?? []) {
        if (!found.some((match) => match.name === name)) found.push({ name, edits: 1 });
      }
    };
    for (const short of shortForms(folded)) {
      add(this.#keys.get(short));
      add(this.#shortKeys.get(short));
    }
    return found;
  }

  /**
   * Names one of whose words begins the way the folded text does. `rank` 0: the text is the whole
   * name; 1: the start of it; 2: inside it. A name may be visited more than once.
   */
  beginning(folded: string, visit: (name: number, rank: 0 | 1 | 2) => void): void {
    const keys = new Set([keyOf(folded), ...shortForms(folded)]);
    for (const key of keys) {
      for (let at = this.#lowerBound(key); at < this.#starts.length; at++) {
        const start = this.#starts[at]!;
        if (!start.startsWith(key)) break;
        const isWhole = start[key.length] === MARK;
        const isInside = start[start.indexOf(MARK, key.length) + 1] === INSIDE;
        visit(this.#startNames[at]!, isInside ? 2 : isWhole ? 0 : 1);
      }
    }
  }

  /** Names at most so many edits from the folded text, in no order. */
  near(folded: string, mostEdits: number): readonly NameMatch[] {
    return this.#near(keyOf(folded), { mostEdits, isPrefix: false });
  }

  /** Names with a beginning at most so many edits from the folded text, in no order. */
  nearBeginning(folded: string, mostEdits: number): readonly NameMatch[] {
    return this.#near(keyOf(folded), { mostEdits, isPrefix: true });
  }

  /** Measures one text against names of the caller's choice. */
  measure(folded: string): (name: number) => number {
    const meter = new EditMeter();
    meter.set(keyOf(folded));
    return (name) => meter.edits(this.#codes, this.#codeStarts[name]!, this.#codeStarts[name + 1]!);
  }

  #near(
    key: string,
    { mostEdits, isPrefix }: { readonly mostEdits: number; readonly isPrefix: boolean },
  ): readonly NameMatch[] {
    const { touched, needed } = this.#share(threesOf(codesOf(key), !isPrefix), mostEdits);
    this.#meter.set(key);
    const found: NameMatch[] = [];
    for (const name of touched) {
      const isLikely = this.#counts[name]! >= needed;
      this.#counts[name] = 0;
      if (!isLikely) continue;
      const from = this.#codeStarts[name]!;
      const to = this.#codeStarts[name + 1]!;
      if (!isPrefix && Math.abs(to - from - this.#meter.length) > mostEdits && to - from < 31) {
        continue;
      }
      const edits = isPrefix
        ? this.#meter.editsToPrefix(this.#codes, from, to)
        : this.#meter.edits(this.#codes, from, to);
      if (edits <= mostEdits) found.push({ name, edits });
    }
    return found;
  }

  /** Counts in `#counts` the threes that names share with a text; those with enough are near. */
  #share(threes: number[], mostEdits: number): { touched: readonly number[]; needed: number } {
    const size = (three: number): number =>
      this.#threeStarts[three + 1]! - this.#threeStarts[three]!;
    threes.sort((a, b) => size(a) - size(b));
    // An edit changes three threes at most: whoever is near shares some of these rarest.
    const rarest = Math.min(threes.length, 3 * mostEdits + 1);
    const touched: number[] = [];
    let counted = 0;
    for (const three of threes) {
      const isRare = counted < rarest;
      if (!isRare && size(three) > COMMON) break;
      counted += 1;
      for (let at = this.#threeStarts[three]!; at < this.#threeStarts[three + 1]!; at++) {
        const name = this.#threeNames[at]!;
        if (this.#counts[name] !== 0) this.#counts[name]! += 1;
        else if (isRare) {
          this.#counts[name] = 1;
          touched.push(name);
        }
      }
    }
    return { touched, needed: Math.max(1, counted - 3 * mostEdits) };
  }

  #layThrees(count: number): Uint32Array {
    const each = (visit: (three: number, name: number) => void): void => {
      for (let name = 1; name < count; name++) {
        const own = this.#codes.subarray(this.#codeStarts[name], this.#codeStarts[name + 1]);
        for (const three of threesOf(own, true)) visit(three, name);
      }
    };
    each((three) => (this.#threeStarts[three + 1]! += 1));
    for (let three = 0; three < THREES; three++) {
      this.#threeStarts[three + 1]! += this.#threeStarts[three]!;
    }
    const next = this.#threeStarts.slice();
    const names = new Uint32Array(this.#threeStarts[THREES]!);
    each((three, name) => {
      names[next[three]!] = name;
      next[three]! += 1;
    });
    return names;
  }

  #lowerBound(key: string): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A three of letters more names than this have tells too little to be counted. */
const COMMON = 2_000;

function note(map: Map<string, number[]>, key: string, name: number): void {
  const names = map.get(key);
  if (names === undefined) map.set(key, [name]);
  else names.push(name);
}

/** From each word of a name on, and the name with its words shortened. */
function startsOf(folded: string, key: string, short: string): Set<string> {
  const starts = new Set([key, short]);
  for (let at = folded.indexOf(' '); at >= 0; at = folded.indexOf(' ', at + 1)) {
    starts.add(keyOf(folded.slice(at + 1)));
  }
  return starts;
}

/** `st` is short for two words. */
function shortForms(folded: string): readonly string[] {
  const short = shortKeyOf(folded);
  const isSaint = folded.startsWith('st ');
  return isSaint ? [short, shortKeyOf(`skt${folded.slice(2)}`)] : [short];
}

/** The distinct threes of a text whose start counts as a letter, and its end if `closed`. */
function threesOf(codes: Uint8Array, closed: boolean): number[] {
  const threes: number[] = [];
  const last = codes.length - (closed ? 1 : 2);
  for (let i = 0; i <= last; i++) {
    const three =
      ((codes[i - 1] ?? 0) * ALPHABET + (codes[i] ?? 0)) * ALPHABET + (codes[i + 1] ?? 0);
    if (!threes.includes(three)) threes.push(three);
  }
  return threes;
}

function roadsByName(
  columns: OpenAddressBook['columns'],
  { roadCount, count }: { readonly roadCount: number; readonly count: number },
): { starts: Uint32Array; roads: Uint32Array } {
  const { roadName, roadShort } = columns;
  const starts = new Uint32Array(count + 1);
  const hasShort = (road: number): boolean =>
    roadShort[road] !== 0 && roadShort[road] !== roadName[road];
  for (let road = 0; road < roadCount; road++) {
    starts[roadName[road]! + 1]! += 1;
    if (hasShort(road)) starts[roadShort[road]! + 1]! += 1;
  }
  for (let name = 0; name < count; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const roads = new Uint32Array(starts[count]!);
  const put = (name: number, road: number): void => {
    roads[next[name]!] = road;
    next[name]! += 1;
  };
  for (let road = 0; road < roadCount; road++) {
    put(roadName[road]!, road);
    if (hasShort(road)) put(roadShort[road]!, road);
  }
  return { starts, roads };
}
