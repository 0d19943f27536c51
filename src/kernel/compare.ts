export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const PART = /\d+|\D+/g;

/** Numbers in a text by value: `2a`, `10a`, `10b`. */
export function compareNaturally(a: string, b: string): number {
  const [these, those] = [a, b].map((text) => text.toLowerCase().match(PART) ?? []);
  for (const [i, part] of (these ?? []).entries()) {
    const other = those?.[i];
    if (other === undefined) return 1;
    const difference = compareParts(part, other);
    if (difference !== 0) return difference;
  }
  return (these?.length ?? 0) < (those?.length ?? 0) ? -1 : compareTexts(a, b);
}

function compareParts(a: string, b: string): number {
  const [first, second] = [Number(a), Number(b)];
  const areNumbers = !Number.isNaN(first) && !Number.isNaN(second);
  return areNumbers ? first - second : compareTexts(a, b);
}

/** First place in a sorted span, `to` exclusive, for which `isBelow` is false; `to`: none. */
export function lowerBound(
  { from, to }: { readonly from: number; readonly to: number },
  isBelow: (at: number) => boolean,
): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
