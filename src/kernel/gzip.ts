/** Pieces of raw DEFLATE that join to one gzip stream (RFC 1951, 1952) without recompression. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Its DEFLATE blocks end on a byte; none is marked as the last. */
export interface GzipPiece {
  readonly deflated: Uint8Array;
  readonly crc32: number;
  readonly bytes: number;
}

// A full flush ends on a byte boundary and leaves the stream open.
const OPEN_ENDED = { finishFlush: constants.Z_FULL_FLUSH } as const;

/** Synchronous: for short texts and worker threads. */
export function gzipPiece(content: string | Uint8Array): GzipPiece {
  const raw = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    deflated: deflateRawSync(raw, OPEN_ENDED),
    crc32: crc32(raw),
    bytes: raw.byteLength,
  };
}

export class GzipWriter {
  #check = 0;
  #bytes = 0;

  add(raw: Uint8Array): Uint8Array {
    const head = this.#bytes === 0 ? [HEADER] : [];
    this.#check = crc32(raw, this.#check);
    this.#bytes += raw.byteLength;
    return Buffer.concat([...head, deflateRawSync(raw, OPEN_ENDED)]);
  }

  end(): Uint8Array {
    const head = this.#bytes === 0 ? [HEADER] : [];
    return Buffer.concat([...head, trailerOf(this.#check, this.#bytes)]);
  }
}

export function gzipOf(pieces: readonly GzipPiece[]): Uint8Array[] {
  let check = 0;
  let bytes = 0;
  for (const piece of pieces) {
    check = joinCrc32(check, piece);
    bytes += piece.bytes;
  }
  return [HEADER, ...pieces.map(({ deflated }) => deflated), trailerOf(check, bytes)];
}

function trailerOf(check: number, bytes: number): Uint8Array {
  const trailer = Buffer.alloc(LAST_BLOCK.length + 8);
  trailer.set(LAST_BLOCK);
  trailer.writeUInt32LE(check, LAST_BLOCK.length);
  trailer.writeUInt32LE(bytes % 2 ** 32, LAST_BLOCK.length + 4);
  return trailer;
}

/** Magic, DEFLATE, no flags, no time (equal content, equal bytes), no extra, system unknown. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
/** An empty fixed-code block, marked as the last. */
const LAST_BLOCK = Uint8Array.of(3, 0);

/** CRC-32 of A followed by B: A's is shifted by B's length and added. */
function joinCrc32(first: number, { crc32: second, bytes }: GzipPiece): number {
  return (times(first, zeroBytes(bytes)) ^ second) >>> 0;
}

/** CRC-32 polynomial, bits reversed: the highest bit is x^0. */
const POLYNOMIAL = 0xed_b8_83_20;
const ONE = 0x80_00_00_00;
const X_TO_8 = ONE >>> 8;

/** x^(8n) modulo the polynomial: the effect of n zero bytes. */
function zeroBytes(count: number): number {
  let result = ONE;
  let power = X_TO_8;
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = times(result, power);
    power = times(power, power);
  }
  return result;
}

/** Product of polynomials over GF(2), modulo the CRC polynomial. */
function times(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product >>> 0;
}
