/** Pieces compressed apart join to one gzip stream that any reader takes. */
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gzipOf, gzipPiece } from '../../src/kernel/gzip.ts';

describe('a gzip stream of pieces', () => {
  test('holds the pieces one after the other, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }), (parts) => {
        const joined = Buffer.concat(gzipOf(parts.map((part) => gzipPiece(part))));
        expect(gunzipSync(joined).equals(Buffer.concat(parts))).toBe(true);
      }),
    );
  });

  test('may use one piece many times and hold millions of bytes', () => {
    const long = Buffer.from('56.123456,10.123456;'.repeat(100_000));
    const piece = gzipPiece(long);
    const stream = gzipOf([gzipPiece('['), piece, gzipPiece(','), piece, gzipPiece(']')]);
    const expected = Buffer.from(`[${long.toString()},${long.toString()}]`);
    expect(gunzipSync(Buffer.concat(stream)).equals(expected)).toBe(true);
  });

  test('has the same bytes for the same content', () => {
    const once = Buffer.concat(gzipOf([gzipPiece('a'), gzipPiece('b')]));
    expect(once.equals(Buffer.concat(gzipOf([gzipPiece('a'), gzipPiece('b')])))).toBe(true);
    expect(gunzipSync(Buffer.concat(gzipOf([]))).length).toBe(0);
  });
});
