/**
 * Whether a text would have found an unreadable row (D143). Usually few, so the index is built on
 * first use.
 */
import { pack, unpack } from '../snapshot/format.ts';
import { buildNames } from './build-names.ts';
import { NameIndex, readNames } from './name-index.ts';
import { normalize } from './normalize.ts';

/** Equal, a prefix of the name or of a word in it, or similar to its beginning. */
export type NameFit = 'same' | 'begins' | 'like';

/** Applies only where nothing matches exactly. */
export function editsAllowed(letters: number): number {
  return letters < 4 ? 0 : letters < 8 ? 1 : 2;
}

const KIND = 'unread-names';

export class UnreadNames {
  readonly hasUnknown: boolean;
  readonly #index: NameIndex;

  constructor(names: readonly (string | null)[]) {
    const known = names.filter((name) => name !== null);
    this.hasUnknown = known.length < names.length;
    const buffer = pack(KIND, null, buildNames(known));
    this.#index = new NameIndex(readNames(unpack(buffer, { kind: KIND })));
  }

  fit(text: string): NameFit | null {
    const folded = normalize(text);
    if (folded === '') return null;
    if (this.#index.same(folded).length > 0) return 'same';
    const begun = new Set<number>();
    this.#index.beginning(folded, (name) => begun.add(name));
    if (begun.size > 0) return 'begins';
    const edits = editsAllowed(folded.length);
    return edits > 0 && this.#index.nearBeginning(folded, edits).length > 0 ? 'like' : null;
  }

  /** Whether words of the text equal or resemble a name. */
  isIn(text: string): boolean {
    const words = normalize(text).split(' ').slice(0, MOST_WORDS);
    return words.some((_, from) =>
      words.slice(from).some((_, more) => {
        const part = words.slice(from, from + more + 1).join(' ');
        if (part === '') return false;
        const isSame = this.#index.same(part).length > 0;
        const edits = editsAllowed(part.length) + (part.length < 9 ? 0 : 1);
        return isSame || (edits > 0 && this.#index.near(part, edits).length > 0);
      }),
    );
  }
}

/** Later words of a text name no road. */
const MOST_WORDS = 16;

const made = new WeakMap<readonly (string | null)[], UnreadNames>();

/** null: all names were read. */
export function unreadNames(names: readonly (string | null)[] | undefined): UnreadNames | null {
  if (names === undefined || names.length === 0) return null;
  const known = made.get(names) ?? new UnreadNames(names);
  made.set(names, known);
  return known;
}
