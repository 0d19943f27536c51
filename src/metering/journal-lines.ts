/** Trusts only lines with a valid checksum. */
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

export interface Chunk {
  readonly text: string;
  readonly lines: number;
  readonly unreadable: number;
  readonly end: number;
}

const NEWLINE = 0x0a;
/** CRC-32 as hexadecimal digits, the last field of a line. */
const SUM_CHARS = 8;

/** Excludes a torn last line: its answer never left. Rejects when the file cannot be read. */
export async function readChunk(
  path: string,
  {
    from,
    size,
    maxBytes,
  }: { readonly from: number; readonly size: number; readonly maxBytes: number },
): Promise<Chunk> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(maxBytes, size - from)));
  const file = await open(path, 'r');
  try {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    const more = from + bytesRead < size;
    return soundLines(buffer.subarray(0, bytesRead), from, more);
  } finally {
    await file.close();
  }
}

/** `more`: bytes follow, so good lines may follow a bad last one. */
export function soundLines(bytes: Buffer, from: number, more: boolean): Chunk {
  const sound: Buffer[] = [];
  let runStart = 0;
  let start = 0;
  let good = { lines: 0, unreadable: 0, end: 0 };
  let unreadable = 0;
  let lines = 0;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) break;
    if (isSound(bytes, start, end)) {
      lines++;
      good = { lines, unreadable, end: end + 1 };
    } else {
      sound.push(bytes.subarray(runStart, start));
      runStart = end + 1;
      unreadable++;
    }
    start = end + 1;
  }
  sound.push(bytes.subarray(runStart, Math.max(runStart, good.end)));
  const text = Buffer.concat(sound).toString('latin1');
  // Bad lines at the end are a torn tail; others are skipped and counted.
  const tail = more ? { unreadable, end: skipped(bytes, start, good.end) } : good;
  return { text, lines: good.lines, unreadable: tail.unreadable, end: from + tail.end };
}

/** Skips at least something: longer than any line is no line. */
function skipped(bytes: Buffer, start: number, goodEnd: number): number {
  return start === 0 && goodEnd === 0 ? bytes.length : start;
}

function isSound(bytes: Buffer, start: number, end: number): boolean {
  const at = end - SUM_CHARS;
  return at > start && sumAt(bytes, at) === crc32(bytes.subarray(start, at));
}

/** NaN: no checksum. */
function sumAt(bytes: Buffer, at: number): number {
  let sum = 0;
  for (let i = at; i < at + SUM_CHARS; i++) sum = 16 * sum + (DIGITS[bytes[i] ?? 0] ?? NaN);
  return sum;
}

const DIGITS: readonly number[] = Array.from({ length: 256 }, (_, byte) =>
  Number.parseInt(String.fromCharCode(byte), 16),
);
