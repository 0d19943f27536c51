/** One range of a file (RFC 9110, 14). */

export interface ByteRange {
  readonly from: number;
  readonly until: number;
}

/** Any number of digits; ignores empty list elements. */
const ONE_RANGE = /^bytes=[\s,]*(\d*)-(\d*)[\s,]*$/i;

/**
 * null: the whole file (no range, several, or invalid: RFC 9110). `unsatisfiable`: past the end.
 */
export function rangeOf(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = ONE_RANGE.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(bytes, Number(last));
    return length === 0 ? 'unsatisfiable' : { from: bytes - length, until: bytes };
  }
  const from = Number(first);
  const until = last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (last !== '' && Number(last) < from) return null;
  return from >= bytes ? 'unsatisfiable' : { from, until };
}

export function isSameFile(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/** Weak comparison (RFC 9110, 13.1.2). */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = ifNoneMatch.split(',').map(strong);
  return tags.includes(strong(etag)) || tags.includes('*');
}
