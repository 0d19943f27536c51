/** Results have three sections, compressed apart. */
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { promisify } from 'node:util';
import { SECTIONS } from '../../core/rows/chunk-types.ts';
import type { Section } from '../../core/rows/chunk-types.ts';

/** The fastest level reduces to a fifth and outpaces the disk. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const HEAD_BYTES = 4 * SECTIONS.length;

export function packOutput(
  sections: Readonly<Record<Section, Uint8Array>>,
): Uint8Array<ArrayBuffer> {
  const packed = SECTIONS.map((section) =>
    sections[section].length === 0 ? EMPTY : zstdCompressSync(sections[section], LEVEL),
  );
  const bytes = new Uint8Array(HEAD_BYTES + packed.reduce((sum, { length }) => sum + length, 0));
  const head = new DataView(bytes.buffer);
  let at = HEAD_BYTES;
  for (const [i, piece] of packed.entries()) {
    head.setUint32(4 * i, piece.length, true);
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const EMPTY = new Uint8Array();
const unpack = promisify(zstdDecompress);

export function csvEnd(part: Uint8Array<ArrayBuffer>): number {
  return HEAD_BYTES + new DataView(part.buffer, part.byteOffset).getUint32(0, true);
}

export async function readSection(parts: Buffer, section: Section): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const wanted = SECTIONS.indexOf(section);
  for (let at = 0; at < parts.length;) {
    let from = at + HEAD_BYTES;
    let next = from;
    for (let i = 0; i < SECTIONS.length; i++) {
      const length = parts.readUInt32LE(at + 4 * i);
      if (i < wanted) from += length;
      next += length;
    }
    const length = parts.readUInt32LE(at + 4 * wanted);
    if (length > 0) pieces.push(await unpack(parts.subarray(from, from + length)));
    at = next;
  }
  const [only = Buffer.alloc(0)] = pieces;
  return pieces.length === 1 ? only : Buffer.concat(pieces);
}
