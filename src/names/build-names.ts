/** Lays out the index over road names that `names.ts` reads, once, while the index is built. */
import { growingBytes, growingWords } from '../geo/growing.ts';
import type { Section } from '../snapshot/format.ts';
import {
  ALPHABET,
  codesOf,
  normalize,
  keyOf,
  SHORT_KEY,
  shortKeyOf,
  threesOf,
} from './normalize.ts';

/** Longest key that is kept: the offset of a word in it has one byte, and one value is taken. */
const LONGEST = SHORT_KEY - 1;
/** Separates a key from where it comes from while the starts are sorted; below every letter. */
const MARK = '\u0001';

export interface NamedRows {
  /** Distinct names by code; code 0 is not among them. */
  readonly names: readonly string[];
  /** Codes of names by road; 0: none. */
  readonly roadName: ArrayLike<number>;
  readonly roadShort: ArrayLike<number>;
  /** Codes of names by former name, ascending. */
  readonly formerName: ArrayLike<number>;
  /** Where the addresses of each road begin. */
  readonly roadStarts: ArrayLike<number>;
}

export function indexNames(rows: NamedRows): Record<string, Section> {
  const count = rows.names.length + 1;
  const keys = keysOf(rows.names);
  const formerStarts = new Uint32Array(count + 1);
  for (let i = 0; i < rows.formerName.length; i++) formerStarts[rows.formerName[i]! + 1]! += 1;
  for (let name = 0; name < count; name++) formerStarts[name + 1]! += formerStarts[name]!;
  return {
    'index.keys': keys.keys,
    'index.keyStarts': keys.keyStarts,
    'index.shorts': keys.shorts,
    'index.shortStarts': keys.shortStarts,
    ...sortStarts(keys.entries),
    ...buildTrigrams(keys, count),
    ...roadsByName(rows, count),
    'index.formerStarts': formerStarts,
  };
}

interface Keys {
  readonly keys: Uint8Array;
  readonly keyStarts: Uint32Array;
  /** Keys with shortened words, empty where that is the same. */
  readonly shorts: Uint8Array;
  readonly shortStarts: Uint32Array;
  /** Words' starts as texts that sort, their place behind the mark. */
  readonly entries: string[];
}

function keysOf(names: readonly string[]): Keys {
  const keys = growingBytes(16 * names.length + 16);
  const shorts = growingBytes();
  // Code 0 has no name, and no letters.
  const keyStarts = growingWords();
  const shortStarts = growingWords();
  keyStarts.push(0);
  shortStarts.push(0);
  const entries: string[] = [];
  for (const [i, name] of names.entries()) {
    const folded = normalize(name);
    const key = keyOf(folded).slice(0, LONGEST);
    const short = shortKeyOf(folded).slice(0, LONGEST);
    keyStarts.push(keys.length);
    shortStarts.push(shorts.length);
    keys.append(codesOf(key));
    const place = (from: number): string => `${MARK}${from.toString(36)}${MARK}${i + 1}`;
    for (const from of wordStarts(folded)) {
      if (from < LONGEST) entries.push(key.slice(from) + place(from));
    }
    if (short === key) continue;
    shorts.append(codesOf(short));
    entries.push(short + place(SHORT_KEY));
  }
  keyStarts.push(keys.length);
  shortStarts.push(shorts.length);
  return {
    keys: keys.view(),
    keyStarts: keyStarts.view(),
    shorts: shorts.view(),
    shortStarts: shortStarts.view(),
    entries,
  };
}

/** Where each word of a folded text begins in its key. */
function wordStarts(folded: string): readonly number[] {
  const starts = [0];
  let at = 0;
  for (const letter of folded) {
    if (letter === ' ') starts.push(at);
    else at += 1;
  }
  return starts;
}

function sortStarts(entries: string[]): Record<string, Section> {
  entries.sort();
  const names = new Uint32Array(entries.length);
  const froms = new Uint8Array(entries.length);
  for (const [i, entry] of entries.entries()) {
    const [, from = '', name = ''] = entry.split(MARK);
    names[i] = Number(name);
    froms[i] = parseInt(from, 36);
  }
  return { 'index.startNames': names, 'index.startFroms': froms };
}

function buildTrigrams({ keys, keyStarts }: Keys, count: number): Record<string, Section> {
  const starts = new Uint32Array(ALPHABET ** 3 + 1);
  const each = (visit: (three: number, name: number) => void): void => {
    for (let name = 1; name < count; name++) {
      const own = keys.subarray(keyStarts[name], keyStarts[name + 1]);
      for (const three of threesOf(own, true)) visit(three, name);
    }
  };
  each((three) => (starts[three + 1]! += 1));
  for (let three = 0; three + 1 < starts.length; three++) starts[three + 1]! += starts[three]!;
  const next = starts.slice();
  const names = new Uint32Array(starts.at(-1)!);
  each((three, name) => {
    names[next[three]!] = name;
    next[three]! += 1;
  });
  return { 'index.threeStarts': starts, 'index.threeNames': names };
}

/** Roads by name and by short name, and how many addresses each name has. */
function roadsByName(
  { roadName, roadShort, roadStarts }: NamedRows,
  count: number,
): Record<string, Section> {
  const starts = new Uint32Array(count + 1);
  const weights = new Uint32Array(count);
  const hasShort = (road: number): boolean =>
    roadShort[road] !== 0 && roadShort[road] !== roadName[road];
  for (let road = 0; road < roadName.length; road++) {
    starts[roadName[road]! + 1]! += 1;
    weights[roadName[road]!]! += roadStarts[road + 1]! - roadStarts[road]!;
    if (hasShort(road)) starts[roadShort[road]! + 1]! += 1;
  }
  for (let name = 0; name < count; name++) starts[name + 1]! += starts[name]!;
  const next = starts.slice();
  const roads = new Uint32Array(starts[count]!);
  const put = (name: number, road: number): void => {
    roads[next[name]!] = road;
    next[name]! += 1;
  };
  for (let road = 0; road < roadName.length; road++) {
    put(roadName[road]!, road);
    if (hasShort(road)) put(roadShort[road]!, road);
  }
  return { 'index.roadStarts': starts, 'index.roads': roads, 'index.weights': weights };
}
