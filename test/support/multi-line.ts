/** Lines of several parts, which the service reads and never writes. */
import { lineWkb } from '../../src/geo/wkb.ts';
import type { FlatRing } from '../../src/geo/wkb.ts';

const MULTI_LINE_STRING = 5;

/** MULTILINESTRING of lines, each x, y, x, y …, as little-endian 2D WKB. */
export function multiLineWkb(lines: readonly FlatRing[]): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(MULTI_LINE_STRING, 1);
  head.writeUInt32LE(lines.length, 5);
  return Uint8Array.from(Buffer.concat([head, ...lines.map(lineWkb)]));
}
