/**
 * Gzip bodies put together from parts that were compressed once and kept. Each part is a run of raw
 * deflate blocks ended by a full flush, so parts join by concatenation; the checksum of the whole
 * follows from the checksums of the parts. One member, as RFC 1952 has it: every client reads it.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A compressed piece of a body. */
export interface Part {
  /** Raw deflate blocks, none of them final, ended on a byte by a full flush. */
  readonly deflated: Uint8Array;
  /** CRC-32 of the plain bytes. */
  readonly crc: number;
  /** Length of the plain bytes. */
  readonly length: number;
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty final block: ends the deflate stream. */
const END = Buffer.from([3, 0]);

/** Compresses one part. Blocks the thread for the length of the work: large parts in a worker. */
export function partOf(plain: Uint8Array | string, level = 6): Part {
  const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain;
  const deflated = deflateRawSync(bytes, { level, finishFlush: constants.Z_FULL_FLUSH });
  return { deflated, crc: crc32(bytes), length: bytes.length };
}

/** The parts as one gzip body. */
export function gzipOf(parts: readonly Part[]): Buffer {
  let crc = 0;
  let length = 0;
  for (const part of parts) {
    crc = combineCrc32(crc, part.crc, part.length);
    length += part.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return Buffer.concat([HEADER, ...parts.map((part) => part.deflated), END, trailer]);
}

const POLYNOMIAL = 0xedb88320;

/**
 * CRC-32 of two runs of bytes put together, from the CRC of each and the length of the second: the
 * first is moved on by `lengthB` zero bytes, by squaring the one-bit step as a matrix over GF(2).
 */
export function combineCrc32(crcA: number, crcB: number, lengthB: number): number {
  if (lengthB === 0) return crcA;
  let step = oneBitStep();
  // Three squarings make one byte of the one-bit step.
  for (let n = 0; n < 3; n++) step = squared(step);
  let crc = crcA;
  for (let bytes = lengthB; bytes > 0; bytes = Math.floor(bytes / 2)) {
    if (bytes % 2 === 1) crc = times(step, crc);
    step = squared(step);
  }
  return (crc ^ crcB) >>> 0;
}

type Matrix = Uint32Array;

function oneBitStep(): Matrix {
  const matrix = new Uint32Array(32);
  matrix[0] = POLYNOMIAL;
  for (let n = 1; n < 32; n++) matrix[n] = 1 << (n - 1);
  return matrix;
}

function times(matrix: Matrix, vector: number): number {
  let sum = 0;
  for (let n = 0, rest = vector; rest !== 0; n++, rest >>>= 1) {
    if ((rest & 1) === 1) sum ^= matrix[n] ?? 0;
  }
  return sum >>> 0;
}

function squared(matrix: Matrix): Matrix {
  return matrix.map((column) => times(matrix, column));
}
