/** Slips: a letter left out, added or replaced, two swapped, any of `æ`, `ø`, `å`. */

export function lettersOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/aa/g, 'å')
    .replace(/ae|ä/g, 'æ')
    .replace(/oe|ö/g, 'ø')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Optimal string alignment. */
export function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isTurned = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const turned = isTurned ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, turned));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

export const slipsOf = (written: string, own: string): number =>
  slipsBetween(lettersOf(written), lettersOf(own));

/**
 * The one rule for all misread or misspelt words: the candidates with the fewest slips, at most
 * `most`. A single one may be B.
 */
export function nearestOf<T>(
  candidates: Iterable<T>,
  slips: (candidate: T) => number,
  most: number,
): readonly T[] {
  let least = most;
  let nearest: T[] = [];
  for (const candidate of candidates) {
    const own = slips(candidate);
    if (own < least) nearest = [];
    if (own > least) continue;
    least = own;
    nearest.push(candidate);
  }
  return nearest;
}

/** Letters of a common ending that says nothing: `vej`, `gade`. */
const ENDING = 3;
const FEW = 4;

/** Whether a farther name may also be meant: `ngevej` is one slip from Egevej, two from Engvej. */
export function asNearAs(written: string, nearest: string): (other: string) => boolean {
  const slips = slipsBetween(written, nearest);
  return (other) => {
    // Each letter more or less is a slip.
    if (Math.abs(other.length - written.length) > slips + 1) return false;
    const further = slipsBetween(written, other) - slips;
    if (further !== 1) return further < 1;
    const ending = Math.min(sharedEnding(written, nearest), sharedEnding(written, other));
    return ending >= ENDING && written.length - ending <= FEW;
  };
}

function sharedEnding(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length += 1;
  return length;
}

/** From this length two slips are allowed, else one. */
const LONG = 10;

/** Does not suggest a known name that is also given. */
export function misspelled(given: readonly string[], known: readonly string[]) {
  const missed = known.filter((name) => !given.includes(name));
  return given
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const [nearest] = missed
        .filter((meant) => Math.abs(meant.length - name.length) <= 2)
        .map((meant) => ({ given: name, meant, slips: slipsBetween(name.toUpperCase(), meant) }))
        .filter(({ meant, slips }) => slips <= (meant.length < LONG ? 1 : 2))
        .sort((a, b) => a.slips - b.slips);
      return nearest === undefined ? [] : [{ given: name, meant: nearest.meant }];
    });
}
