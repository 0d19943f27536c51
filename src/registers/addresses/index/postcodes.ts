import type { Chunk } from './chunks.ts';
import { asDigits } from './houses.ts';
import { townOf } from './place-fit.ts';

export interface KnownPlaces {
  /** Folded; null when the code does not exist. */
  postcodeName(code: string): string | null;
  isTownStart(folded: string): boolean;
}

export interface PostcodeFound {
  readonly code: string | null;
  readonly misread: string | null;
  readonly from: number;
  readonly to: number;
  readonly places: readonly string[];
}

const NO_POSTCODE = { code: null, misread: null, places: [] } as const;

/** The last four digits that are a postcode, else the last that could be one. */
export function findPostcode(chunks: readonly Chunk[], known: KnownPlaces): PostcodeFound {
  let at = -1;
  for (const [i, { folded }] of chunks.entries()) {
    if (!/^\d{4}$/.test(folded)) continue;
    const isKnown = known.postcodeName(folded) !== null;
    if (at < 0 || isKnown || known.postcodeName(chunks[at]!.folded) === null) at = i;
  }
  if (at >= 0) return postcodeAt(chunks, { at, code: chunks[at]!.folded, misread: null }, known);
  for (const [i, { text }] of chunks.entries()) {
    if (!MISREAD_POSTCODE.test(text)) continue;
    const code = asDigits(text);
    if (known.postcodeName(code) !== null)
      return postcodeAt(chunks, { at: i, code, misread: text }, known);
  }
  return { ...NO_POSTCODE, from: chunks.length, to: chunks.length };
}

export const restOf = (chunks: readonly Chunk[], { from, to }: PostcodeFound): readonly Chunk[] =>
  chunks.filter((_, i) => i < from || i >= to);

/**
 * Of `2605 Brøndby Nord Vej 109`, where the road begins like its town, and `Haveforeningen af 1918
 * 12`.
 */
export function otherPostcode(
  chunks: readonly Chunk[],
  { code, from, to, misread }: PostcodeFound,
  known: KnownPlaces,
): PostcodeFound | null {
  const next = chunks[to];
  if (code === null || next === undefined) return null;
  // A town may stand before its postcode.
  const isFirst = from === 0 && /\d/.test(chunks[0]!.folded);
  if (isFirst && to > 1) return { code, misread, from, to: 1, places: [] };
  const isNumber = known.postcodeName(code) === null && /^\d/.test(next.folded);
  return isNumber && from > 0 ? { ...NO_POSTCODE, from: chunks.length, to: chunks.length } : null;
}

/** Without a town apart from its postcode: `Strandvejen Hellerup 12 2900`. */
export function townInside(
  chunks: readonly Chunk[],
  post: PostcodeFound,
  known: KnownPlaces,
): { readonly rest: readonly Chunk[]; readonly post: PostcodeFound } | null {
  const name = post.code === null ? null : known.postcodeName(post.code);
  if (name === null || post.places.length > 0) return null;
  const rest = restOf(chunks, post);
  const words = name.split(' ');
  for (const [i, { part, folded }] of rest.entries()) {
    if (folded !== words[0] && townOf(folded) !== words[0]) continue;
    let n = 1;
    while (n < words.length && rest[i + n]?.folded === words[n]) n += 1;
    const next = rest[i + n];
    // `Hellerup Strandvej` is a road.
    if (next?.part === part && !/^\d/.test(next.folded)) continue;
    const left = rest.filter((_, at) => at < i || at >= i + n);
    return { rest: left, post: { ...post, places: [joined(rest.slice(i, i + n))] } };
  }
  return null;
}

/** `5OOO`, `S000`, `2l00`: letters that were one or two of the digits. */
const MISREAD_POSTCODE = /^(?=.*\d.*\d)(?=.*[a-z|])[\dlioz|sb]{4}$/i;

function postcodeAt(
  chunks: readonly Chunk[],
  {
    at,
    code,
    misread,
  }: { readonly at: number; readonly code: string; readonly misread: string | null },
  known: KnownPlaces,
): PostcodeFound {
  const name = known.postcodeName(code);
  if (isRoadAfter(chunks, at) && isTownBefore(chunks, at, name)) {
    return { code, misread, from: 0, to: at + 1, places: [joined(chunks.slice(0, at))] };
  }
  const to = endOfTown(chunks, { at, name }, known);
  const places = to === at + 1 ? [] : [joined(chunks.slice(at + 1, to))];
  return { code, misread, from: at, to, places };
}

const joined = (chunks: readonly Chunk[]): string => chunks.map(({ folded }) => folded).join(' ');

/** `Rønne 3700 Kanegårdsvej 17`: the town is all before the postcode. */
function isTownBefore(chunks: readonly Chunk[], at: number, name: string | null): boolean {
  if (at === 0 || name === null || chunks[0]!.part !== chunks[at]!.part) return false;
  const town = townOf(joined(chunks.slice(0, at)));
  return town === name || name.startsWith(`${town} `);
}

function isRoadAfter(chunks: readonly Chunk[], at: number): boolean {
  const { part } = chunks[at]!;
  const [word, ...more] = chunks.slice(at + 1).filter((chunk) => chunk.part === part);
  return (
    word !== undefined &&
    /^[a-z]/.test(word.folded) &&
    more.some(({ folded }) => /^\d/.test(folded))
  );
}

/** As many words after the postcode as the town's name has, else up to a comma or number. */
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
  // `1068 Nikolajgade 15`: only town words before the house number.
  const isRoadNext = at === 0 && /^\d/.test(chunks[to]?.folded ?? '');
  return isRoadNext ? at + 1 + townWords(chunks.slice(at + 1, to), name ?? '', known) : to;
}

/** Number of town words before a road, usually none. */
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
  // `5000 Odense, 12 Vestergade`.
  return words.length === 1 && known.isTownStart(townOf(first!.folded)) ? 1 : 0;
}
