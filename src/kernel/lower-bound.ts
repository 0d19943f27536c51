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
