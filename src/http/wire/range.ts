/** One range of a file (RFC 9110, 14): what a client asks for that goes on where it broke off. */

export interface ByteRange {
  readonly from: number;
  /** Past its last byte. */
  readonly until: number;
}

/** However many digits: what is past the end is past it. An empty element of the list counts for nothing. */
const ONE_RANGE = /^bytes=[\s,]*(\d*)-(\d*)[\s,]*$/i;

/**
 * What of a file of so many bytes is asked for. null: all of it (no range, several, or one that cannot
 * be read, which RFC 9110 lets a server ignore). `unsatisfiable`: none of it is there.
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

/** If-Range: the range holds only of the very file it was begun with. */
export function isSameFile(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/** If-None-Match: compared weakly (RFC 9110, 13.1.2). */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = ifNoneMatch.split(',').map(strong);
  return tags.includes(strong(etag)) || tags.includes('*');
}
