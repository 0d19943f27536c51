/** From this length two typing errors are allowed, else one. */
const LONG = 10;

/** Does not suggest a known name that is also given. */
export function misspelled(given: readonly string[], known: readonly string[]) {
  const missed = known.filter((name) => !given.includes(name));
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const [nearest] = missed
        .map((meant) => ({ given: name, meant, slips: slips(name.toUpperCase(), meant) }))
        .filter(({ meant, slips: count }) => count <= (meant.length < LONG ? 1 : 2))
        .sort((a, b) => a.slips - b.slips);
      return nearest === undefined ? [] : [{ given: name, meant: nearest.meant }];
    });
}

/** Optimal string alignment distance, counted up to three. */
function slips(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let least = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      );
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, at(before, column - 2) + 1);
      next.push(least);
    }
    before = last;
    last = next;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
