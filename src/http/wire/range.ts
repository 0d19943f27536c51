/** Files whose length is known, in one range (RFC 9110, 14). */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failures.ts';

interface ByteRange {
  readonly from: number;
  readonly until: number;
}

export interface RangedFile {
  readonly etag: string;
  readonly bytes: number;
  /** `until` is exclusive, and beyond `from`. */
  readonly read: (from: number, until: number) => Readable;
}

/** The whole file, a range (206), or 304; throws 412, 416. `begin` is called before the first two. */
export function sendFile(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { etag, bytes, read }: RangedFile,
  begin: () => void,
): FastifyReply {
  const { method, headers } = request;
  void reply.headers({ 'accept-ranges': 'bytes', etag });
  if (!matchesOne(headers['if-match'], etag)) throw changed();
  if (matchesNone(headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = (headers['if-range'] as string | undefined) ?? etag;
  const isAsked = method === 'GET' && ifRange.trim() === etag;
  const range = isAsked ? rangeOf(headers.range, bytes) : null;
  if (range === 'unsatisfiable') throw unsatisfiable(bytes);
  begin();
  const { from, until } = range ?? { from: 0, until: bytes };
  void reply.header('content-length', until - from);
  if (range !== null) {
    void reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${bytes}`);
  }
  return reply.send(method === 'HEAD' || from === until ? nothing() : read(from, until));
}

/** A stream: the framework would use a text's length for the file's. */
export function nothing(): Readable {
  return Readable.from([], { objectMode: false });
}

/** D279. */
function changed(): Failure {
  return new Failure('conflict', {
    error: 'The file is another than that of If-Match: fetch it from its beginning.',
    errorDa: 'Filen er en anden end den i If-Match: hent den fra begyndelsen.',
    status: 412,
  });
}

/** The resuming client has the whole file (D66). */
function unsatisfiable(bytes: number): Failure {
  return new Failure('invalid_request', {
    error: `The Range begins past the end of the file, which has ${bytes} bytes.`,
    errorDa: `Range begynder efter filens slutning; den har ${bytes} byte.`,
    status: 416,
    headers: { 'content-range': `bytes */${bytes}` },
  });
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

/** Strong comparison (RFC 9110, 13.1.1). */
function matchesOne(ifMatch: string | undefined, etag: string): boolean {
  const tags = ifMatch?.split(',').map((tag) => tag.trim()) ?? ['*'];
  return tags.includes(etag) || tags.includes('*');
}

/** Weak comparison (RFC 9110, 13.1.2). */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  const tags = ifNoneMatch.split(',').map(strong);
  return tags.includes(strong(etag)) || tags.includes('*');
}
