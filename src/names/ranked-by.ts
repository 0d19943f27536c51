import { normalize } from './normalize.ts';

interface Named {
  readonly code: string;
  readonly name: string;
}

/** Kept by row, because rows outlive a question. */
const normalized = new WeakMap<object, string>();

/** Whole names, codes, beginnings, then words. */
export function rankedBy<T extends object>(
  rows: readonly T[],
  text: string,
  named: (row: T) => Named,
): readonly T[] {
  const asked = normalize(text);
  const ranks = rows.flatMap((row) => {
    const { code, name } = named(row);
    const own = normalized.get(row) ?? normalize(name);
    normalized.set(row, own);
    const rank = rankOf({ code, own }, asked);
    return rank === null ? [] : [{ row, rank }];
  });
  return ranks.toSorted((a, b) => a.rank - b.rank).map(({ row }) => row);
}

function rankOf(
  { code, own }: { readonly code: string; readonly own: string },
  asked: string,
): number | null {
  if (asked === '') return null;
  if (own === asked) return 0;
  if (`${code} ${own}`.startsWith(asked) || code.replace(/^0+/, '').startsWith(asked)) return 1;
  if (own.startsWith(asked)) return 2;
  return ` ${own}`.includes(` ${asked}`) ? 3 : null;
}
