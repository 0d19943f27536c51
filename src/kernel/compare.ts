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
