/**
 * How two pages of one reading are held together: each begins with the feature the one before ended
 * with. A list that moved meanwhile, or is sorted only inside its pages, does not join.
 */
import { createHash } from 'node:crypto';
import type { ByteRange } from './envelope.ts';
import type { WfsAnswer } from './exchange.ts';

/** Identifiers that a server without a primary key makes up anew at each request. */
const MADE_UP = /\s(?:[\w.-]+:)?(?:fid|id)="[^"]*"|"id"\s*:\s*"[^"]*"/g;

/** What a feature holds, as served; null where there is none. */
export function featureDigest(bytes: Uint8Array, range: ByteRange | null): string | null {
  if (range === null) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + range.start, range.end - range.start)
    .toString('utf8')
    .replace(MADE_UP, '');
  return createHash('sha256').update(text).digest('hex');
}

/** The answer as if its first feature had not been asked for. Its `first` is no longer known. */
export function withoutFirst({ bytes, envelope }: WfsAnswer): WfsAnswer {
  const { first, last, body, members, numberReturned } = envelope;
  if (first === null || last === null) return { bytes, envelope };
  const from = envelope.format === 'geojson' ? afterComma(bytes, first.end) : first.end;
  const cut = from - first.start;
  const rest = new Uint8Array(bytes.length - cut);
  rest.set(bytes.subarray(0, first.start));
  rest.set(bytes.subarray(from), first.start);
  return {
    bytes: rest,
    envelope: {
      ...envelope,
      members: members - 1,
      numberReturned: numberReturned === null ? null : Math.max(0, numberReturned - 1),
      body: { start: body.start, end: body.end - cut },
      first: null,
      last: members === 1 ? null : { start: last.start - cut, end: last.end - cut },
    },
  };
}

const COMMA = 0x2c;
const SPACE = 0x20;

/** Index after the comma that separates a feature from the next, or the index itself. */
function afterComma(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at += 1;
  return bytes[at] === COMMA ? at + 1 : end;
}
