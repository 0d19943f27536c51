/**
 * Classifies an answer from its bytes alone. Counts members independently of the parser, which must
 * agree.
 */
import type { Envelope, Scanner } from './envelope.ts';
import { JsonScanner } from './inspect-json.ts';
import { XmlScanner } from './inspect-xml.ts';

/** `push` every chunk in order, then `end`. */
export function createInspector(): Scanner {
  let scanner: Scanner | null = null;
  let offset = 0;
  let other: Envelope | null = null;

  const choose = (chunk: Uint8Array): Uint8Array => {
    const start = firstByte(chunk, offset);
    if (start === chunk.length) {
      offset += chunk.length;
      return chunk.subarray(start);
    }
    offset += start;
    const byte = chunk[start];
    if (byte === 0x3c) scanner = new XmlScanner(offset);
    else if (byte === 0x7b) scanner = new JsonScanner(offset);
    else other = { kind: 'other', what: 'neither XML nor a JSON object' };
    return chunk.subarray(start);
  };

  return {
    push(chunk) {
      if (other !== null) return;
      const rest = scanner === null ? choose(chunk) : chunk;
      scanner?.push(rest);
    },
    settled: () => other ?? scanner?.settled() ?? null,
    end: () => other ?? scanner?.end() ?? { kind: 'other', what: 'an empty body' },
  };
}

export function inspect(bytes: Uint8Array): Envelope {
  const inspector = createInspector();
  inspector.push(bytes);
  return inspector.end();
}

function firstByte(chunk: Uint8Array, offset: number): number {
  let at = 0;
  while (at < chunk.length) {
    const byte = chunk[at] ?? 0;
    const isMark = offset + at < 3 && (byte === 0xef || byte === 0xbb || byte === 0xbf);
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && !isMark) return at;
    at += 1;
  }
  return at;
}
