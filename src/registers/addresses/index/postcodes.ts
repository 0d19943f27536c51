/** The postcode in a text and the town after it. */
import type { Chunk } from './chunks.ts';
import { asDigits } from './houses.ts';
import { townOf } from './place-fit.ts';

/** What the reader needs from the index. */
export interface KnownPlaces {
  /** Folded name of a postcode; null when the code does not exist. */
  postcodeName(code: string): string | null;
  /** Whether a postcode's town begins with the folded text. */
  isTownStart(folded: string): boolean;
}

export interface PostcodeFound {
  readonly code: string | null;
  /** Letters in it were read as digits. */
  readonly isMended: boolean;
  /** The chunks of the postcode and its town. */
  readonly from: number;
  readonly to: number;
  readonly places: readonly string[];
}

const NO_POSTCODE = { code: null, isMended: false, places: [] } as const;

/** The last four digits that are a postcode, else the last four that could be one. */
export function findPostcode(chunks: readonly Chunk[], known: KnownPlaces): PostcodeFound {
  let at = -1;
  for (const [i, { folded }] of chunks.entries()) {
    if (!/^\d{4}$/.test(folded)) continue;
    const isKnown = known.postcodeName(folded) !== null;
    if (at < 0 || isKnown || known.postcodeName(chunks[at]!.folded) === null) at = i;
  }
  if (at >= 0) return postcodeAt(chunks, { at, code: chunks[at]!.folded, isMended: false }, known);
  for (const [i, { text }] of chunks.entries()) {
    if (!MISREAD_POSTCODE.test(text)) continue;
    const code = asDigits(text);
    if (known.postcodeName(code) !== null)
      return postcodeAt(chunks, { at: i, code, isMended: true }, known);
  }
  return { ...NO_POSTCODE, from: chunks.length, to: chunks.length };
}

/** The words without a postcode and its town. */
export const restOf = (chunks: readonly Chunk[], { from, to }: PostcodeFound): readonly Chunk[] =>
  chunks.filter((_, i) => i < from || i >= to);

/**
 * Other readings: `2605 Brøndby Nord Vej 109`, where the road begins like its town; `Haveforeningen
 * af 1918 12`, where the digits are no postcode. null: the postcode is as found.
 */
export function otherPostcode(
  chunks: readonly Chunk[],
  { code, from, to, isMended }: PostcodeFound,
  known: KnownPlaces,
): PostcodeFound | null {
  const next = chunks[to];
  if (code === null || next === undefined) return null;
  if (from === 0 && to > 1) return { code, isMended, from, to: 1, places: [] };
  const isNumber = known.postcodeName(code) === null && /^\d/.test(next.folded);
  return isNumber && from > 0 ? { ...NO_POSTCODE, from: chunks.length, to: chunks.length } : null;
}

/** `5OOO`, `S000`, `2l00`: one or two letters of four were digits. */
const MISREAD_POSTCODE = /^(?=.*\d.*\d)(?=.*[a-z|])[\dlioz|sb]{4}$/i;

function postcodeAt(
  chunks: readonly Chunk[],
  {
    at,
    code,
    isMended,
  }: { readonly at: number; readonly code: string; readonly isMended: boolean },
  known: KnownPlaces,
): PostcodeFound {
  const to = endOfTown(chunks, { at, name: known.postcodeName(code) }, known);
  const town = chunks.slice(at + 1, to).map(({ folded }) => folded);
  const places = town.length === 0 ? [] : [town.join(' ')];
  return { code, isMended, from: at, to, places };
}

/**
 * The end of the town after a postcode: as many words as its name has, else up to a comma or
 * number.
 */
function endOfTown(
  chunks: readonly Chunk[],
  { at, name }: { readonly at: number; readonly name: string | null },
  known: KnownPlaces,
): number {
  const part = chunks[at]!.part;
  const words = name?.split(' ') ?? [];
  if (words.every((word, i) => chunks[at + 1 + i]?.folded === word)) return at + 1 + words.length;
  let to = at + 1;
  while (to < chunks.length && chunks[to]!.part === part && !/^\d/.test(chunks[to]!.folded))
    to += 1;
  // `1068 Nikolajgade 15`: only the words before the house number that are the town.
  const isRoadNext = at === 0 && /^\d/.test(chunks[to]?.folded ?? '');
  return isRoadNext ? at + 1 + townWords(chunks.slice(at + 1, to), name ?? '', known) : to;
}

/** How many words before a road and its number are a town, usually none. */
function townWords(words: readonly Chunk[], name: string, known: KnownPlaces): number {
  for (let n = words.length - 1; n > 0; n--) {
    const town = townOf(
      words
        .slice(0, n)
        .map(({ folded }) => folded)
        .join(' '),
    );
    if (town === name || name.startsWith(`${town} `)) return n;
  }
  const [first] = words;
  // A town before a comma and the road: `5000 Odense, 12 Vestergade`.
  return words.length === 1 && known.isTownStart(townOf(first!.folded)) ? 1 : 0;
}
