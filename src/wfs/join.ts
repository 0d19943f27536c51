/** Each page begins with the last feature of the previous one. */
import { createHash } from 'node:crypto';
import type { ByteRange } from './envelope.ts';
import type { WfsAnswer } from './exchange.ts';

/** Identifiers that a server without a primary key generates per request. */
const MADE_UP = /\s(?:[\w.-]+:)?(?:fid|id)="[^"]*"|"id"\s*:\s*"[^"]*"/g;

export function featureDigest(bytes: Uint8Array, range: ByteRange | null): string | null {
  if (range === null) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + range.start, range.end - range.start)
    .toString('utf8')
    .replace(MADE_UP, '');
  return createHash('sha256').update(text).digest('hex');
}

/** The answer's `first` is then unknown. */
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

function afterComma(bytes: Uint8Array, end: number): number {
  let at = end;
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at += 1;
  return bytes[at] === COMMA ? at + 1 : end;
}
