import { normalize } from '../../names/normalize.ts';

interface Named {
  readonly code: string;
  readonly name: string;
}

/** Whole names, codes, beginnings, then words. */
export function rankedBy<T extends Named>(rows: readonly T[], text: string): readonly T[] {
  const asked = normalize(text);
  const ranks = rows.flatMap((row) => {
    const rank = rankOf(row, asked);
    return rank === null ? [] : [{ row, rank }];
  });
  return ranks.toSorted((a, b) => a.rank - b.rank).map(({ row }) => row);
}

function rankOf({ code, name }: Named, asked: string): number | null {
  if (asked === '') return null;
  const own = normalize(name);
  if (own === asked) return 0;
  if (`${code} ${own}`.startsWith(asked) || code.replace(/^0+/, '').startsWith(asked)) return 1;
  if (own.startsWith(asked)) return 2;
  return ` ${own}`.includes(` ${asked}`) ? 3 : null;
}
