/** Pieces compressed apart join to one gzip stream that any reader takes. */
import { execFileSync } from 'node:child_process';
import { createGunzip, gunzipSync } from 'node:zlib';
import { Readable } from 'node:stream';
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

  test('may use one piece many times and hold millions of bytes', async () => {
    const long = Buffer.from('56.123456,10.123456;'.repeat(100_000));
    const piece = gzipPiece(long);
    const stream = gzipOf([gzipPiece('['), piece, gzipPiece(','), piece, gzipPiece(']')]);
    const expected = Buffer.from(`[${long.toString()},${long.toString()}]`);
    expect(gunzipSync(Buffer.concat(stream)).equals(expected)).toBe(true);
    const streamed = await Readable.from(stream).pipe(createGunzip()).toArray();
    expect(Buffer.concat(streamed as Buffer[]).equals(expected)).toBe(true);
  });

  test('is one member that the system gzip finds in order', () => {
    const stream = Buffer.concat(gzipOf([gzipPiece('æble '), gzipPiece('og pære')]));
    expect(execFileSync('gzip', ['-dc'], { input: stream }).toString()).toBe('æble og pære');
    expect(execFileSync('gzip', ['-tv'], { input: stream, stdio: 'pipe' }).toString()).toBe('');
  });

  test('has the same bytes for the same content', () => {
    const once = Buffer.concat(gzipOf([gzipPiece('a'), gzipPiece('b')]));
    expect(once.equals(Buffer.concat(gzipOf([gzipPiece('a'), gzipPiece('b')])))).toBe(true);
    expect(gunzipSync(Buffer.concat(gzipOf([]))).length).toBe(0);
  });
});
