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

const LONGEST = SHORT_KEY - 1;
/** Separates a key from its origin while the starts are sorted; below every letter. */
const MARK = '\u0001';

export function buildNames(names: readonly string[]): Record<string, Section> {
  const keys = keysOf(names);
  return {
    'index.keys': keys.keys,
    'index.keyStarts': keys.keyStarts,
    'index.shorts': keys.shorts,
    'index.shortStarts': keys.shortStarts,
    ...sortStarts(keys.entries),
    ...buildTrigrams(keys, names.length + 1),
  };
}

interface Keys {
  readonly keys: Uint8Array;
  readonly keyStarts: Uint32Array;
  /** Abbreviated keys, empty where equal. */
  readonly shorts: Uint8Array;
  readonly shortStarts: Uint32Array;
  /** Word starts as sortable texts, with their place after the mark. */
  readonly entries: string[];
}

function keysOf(names: readonly string[]): Keys {
  const keys = growingBytes(16 * names.length + 16);
  const shorts = growingBytes();
  // Code 0 has no name.
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
