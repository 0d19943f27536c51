/**
 * Always cuts at the same rows, so that a piece sent before is recognised. Each piece of a CSV
 * begins with the header.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CsvScan, STOP } from '../../bytes/csv-scan.ts';
import { Utf8Pieces } from '../../jobs/intake/charset.ts';
import { isBlankLine, namedDelimiter } from '../../jobs/intake/csv-head.ts';
import { CsvSample } from '../../jobs/intake/csv-sample.ts';
import { EncodingGuess } from '../../jobs/intake/encoding.ts';
import type { Charset } from '../../core/rows/job-types.ts';

/** Fits the half minute that the service waits, at 1.2 Mbit/s. */
export const PIECE_BYTES = 4 * 1024 * 1024;

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

export interface Looked {
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly bytes: number;
  readonly charset: Charset;
  readonly size: number;
}

/** One pass for hash and charset. */
export async function lookThrough(path: string): Promise<Looked> {
  const hash = createHash('sha256');
  const guess = new EncodingGuess();
  let bytes = 0;
  for await (const piece of createReadStream(path)) {
    const buffer = piece as Buffer;
    hash.update(buffer);
    bytes += buffer.length;
    guess.push(buffer);
  }
  const found = { hash: hash.digest('hex'), bytes, charset: guess.end() };
  if (found.charset !== 'utf-16') return { ...found, size: bytes };
  let size = 0;
  for await (const piece of readUtf8(path, { isUtf16: true })) size += piece.length;
  return { ...found, size };
}

/** Converts UTF-16, so that rows end at a byte. */
async function* readUtf8(
  path: string,
  { isUtf16 }: { readonly isUtf16: boolean },
): AsyncGenerator<Buffer, void> {
  const text = new Utf8Pieces('utf-16');
  for await (const read of createReadStream(path, { highWaterMark: 1 << 20 })) {
    yield isUtf16 ? text.push(read as Buffer) : (read as Buffer);
  }
  if (isUtf16) yield text.end();
}

export interface Piece {
  readonly body: Buffer;
  readonly until: number;
}

export interface CutOptions {
  /** Repeats the header; quoted line breaks end no row. */
  readonly isCsv: boolean;
  readonly isUtf16?: boolean;
  /** null or absent: guessed. Earlier rows are not sent. */
  readonly headRow?: number | null;
  readonly pieceBytes?: number;
}

export async function* cutFile(
  path: string,
  { isCsv, isUtf16 = false, headRow = null, pieceBytes = PIECE_BYTES }: CutOptions,
): AsyncGenerator<Piece, void> {
  let rows: RowEnds | null = null;
  let header: Buffer = Buffer.alloc(0);
  let held: Buffer = Buffer.alloc(0);
  let until = 0;
  for await (const read of readUtf8(path, { isUtf16 })) {
    rows ??= rowEndsOf(read, { isCsv, headRow });
    const from = held.length;
    held = Buffer.concat([held, read]);
    rows.read(read, from);
    if (isCsv && header.length === 0 && rows.headerEnd > 0) {
      until = rows.headerEnd;
      header = rows.withDelimiter(held.subarray(rows.headerStart, until));
      held = held.subarray(until);
      rows.drop(until);
    }
    for (let end = rows.lastWithin(pieceBytes); end > 0 && held.length > pieceBytes;) {
      until += end;
      yield { body: Buffer.concat([header, held.subarray(0, end)]), until };
      held = held.subarray(end);
      rows.drop(end);
      end = rows.lastWithin(pieceBytes);
    }
  }
  if (rows !== null && held.length === 0 && until > rows.headerEnd) return;
  yield { body: Buffer.concat([header, held]), until: until + held.length };
}

function rowEndsOf(
  bytes: Uint8Array,
  { isCsv, headRow }: { readonly isCsv: boolean; readonly headRow: number | null },
): RowEnds {
  if (!isCsv) return new RowEnds(null);
  const sample = new CsvSample(headRow);
  sample.push(bytes);
  if (!sample.isFull) sample.end();
  // The service refuses a file without a header.
  if (sample.hasHeader || headRow !== null) sample.begin(undefined);
  return new RowEnds(sample);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

class RowEnds {
  /** null: not a CSV. */
  readonly #sample: CsvSample | null;
  #ends: number[] = [];
  #isHeaderQuoted = false;
  #line: number[] = [];
  /** By a line before the header; null: none. */
  #named: number | null = null;
  /** Of the rows after the header; null: not read yet. */
  #scan: CsvScan | null = null;
  /** Includes blank lines above the header, but no titles. */
  headerStart = 0;
  /** 0: unknown. */
  headerEnd = 0;

  constructor(sample: CsvSample | null) {
    this.#sample = sample;
  }

  /** The first rows' delimiter must apply to every piece. */
  withDelimiter(header: Buffer): Buffer {
    const delimiter = this.#sample?.delimiter ?? null;
    if (delimiter === null) return header;
    if (this.#named !== null && this.headerStart === 0) return header;
    const isMarked = header.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const mark = isMarked ? BYTE_ORDER_MARK : Buffer.alloc(0);
    const named = Buffer.from(`sep=${String.fromCharCode(delimiter)}\n`);
    return Buffer.concat([mark, named, header.subarray(mark.length)]);
  }

  read(bytes: Buffer, offset: number): void {
    let at = 0;
    if (this.#sample === null) {
      for (at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
        this.#ends.push(offset + at + 1);
      }
      return;
    }
    for (; this.#scan === null && at < bytes.length; at++) {
      this.#header(bytes[at] as number, offset + at + 1);
    }
    if (this.#scan !== null) this.#rows(this.#scan, bytes.subarray(at), offset + at);
  }

  #rows(scan: CsvScan, bytes: Buffer, offset: number): void {
    scan.feed(bytes);
    for (let stop = scan.next(); stop !== STOP.end; stop = scan.next()) {
      if (stop === STOP.lineEnd) this.#ends.push(offset + scan.at + 1);
    }
  }

  #header(byte: number, end: number): void {
    if (byte === QUOTE) this.#isHeaderQuoted = !this.#isHeaderQuoted;
    else if (!this.#isHeaderQuoted && (byte === LF || byte === CR)) {
      this.#endHeaderLine(Buffer.from(this.#line), end);
      return;
    }
    this.#line.push(byte);
  }

  #endHeaderLine(line: Buffer, end: number): void {
    const named = this.#named === null ? namedDelimiter(line) : null;
    this.#line = [];
    if (isBlankLine(line)) return;
    if (named !== null) {
      this.#named = named;
      return;
    }
    if (end <= (this.#sample?.headStart ?? 0)) {
      this.headerStart = end;
      return;
    }
    const delimiter = this.#sample?.delimiter ?? null;
    this.#scan = new CsvScan({ delimiter, lineEnds: [CR, LF] });
    this.headerEnd = end;
  }

  /** The last row end within so many bytes, else the first; 0: none. */
  lastWithin(bytes: number): number {
    let found = this.#ends[0] ?? 0;
    for (const end of this.#ends) {
      if (end > bytes) break;
      found = end;
    }
    return found;
  }

  drop(bytes: number): void {
    this.#ends = this.#ends.filter((end) => end > bytes).map((end) => end - bytes);
  }
}
