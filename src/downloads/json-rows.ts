/**
 * Cuts a JSON file, one flat array of rows, into arrays of a few megabytes while it streams by, and
 * counts the rows by their braces. Not a parser: a thread parses each piece and must find as many.
 */
import { LIMITS } from '../kernel/limits.ts';
import { UpstreamFailure } from '../wfs/failure.ts';

/** A JSON array of `members` rows. The bytes own their buffer and may be handed over. */
export interface RowBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly members: number;
}

export interface RowLimits {
  readonly batchBytes: number;
  readonly rowBytes: number;
}

const LIMITS_OF_ROWS: RowLimits = {
  batchBytes: LIMITS.downloadBatchBytes,
  rowBytes: LIMITS.downloadRowBytes,
};

/** Throws UpstreamFailure: `truncated` before the end of the array, `unreadable` for anything else. */
export async function* cutRows(
  source: AsyncIterable<Uint8Array>,
  limits: RowLimits = LIMITS_OF_ROWS,
): AsyncGenerator<RowBatch, void, void> {
  const scanner = new RowScanner(limits);
  for await (const chunk of source) {
    scanner.push(chunk);
    if (scanner.heldBytes >= limits.batchBytes) {
      const batch = scanner.take();
      if (batch.members > 0) yield batch;
    }
  }
  scanner.end();
  const rest = scanner.take();
  if (rest.members > 0) yield rest;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Where the scanner is between two rows. */
type Expecting = 'array' | 'first' | 'row' | 'comma' | 'nothing';

class RowScanner {
  readonly #limits: RowLimits;
  #expecting: Expecting = 'array';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #bytesSeen = 0;
  /** Slices of the row under way, and of the rows done since the last `take`. */
  #row: Uint8Array[] = [];
  #rowBytes = 0;
  #rows: Uint8Array[] = [];
  #members = 0;
  heldBytes = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let rowStart = this.#depth > 0 ? 0 : -1;
    let at = 0;
    while (at < bytes.length) {
      if (this.#inString) {
        at = this.#passString(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (this.#depth === 0) {
        if (this.#opensRow(byte)) rowStart = at;
      } else if (this.#within(byte)) {
        this.#keep(bytes.subarray(rowStart, at + 1));
        this.#endRow();
        rowStart = -1;
      }
      at += 1;
    }
    if (rowStart >= 0) this.#keep(bytes.subarray(rowStart));
    this.#bytesSeen += bytes.length;
  }

  end(): void {
    if (this.#expecting === 'nothing') return;
    const what = this.#expecting === 'array' ? 'no JSON array' : 'a JSON array that is cut off';
    const kind = this.#expecting === 'array' ? 'unreadable' : 'truncated';
    throw new UpstreamFailure(kind, `${what} after ${this.#bytesSeen} bytes`);
  }

  take(): RowBatch {
    const size = this.#rows.reduce((sum, { length }) => sum + length, 0);
    const bytes = new Uint8Array(size + 2);
    bytes[0] = 0x5b;
    let at = 1;
    for (const slice of this.#rows) {
      bytes.set(slice, at);
      at += slice.length;
    }
    bytes[at] = 0x5d;
    const batch = { bytes, members: this.#members };
    this.#rows = [];
    this.#members = 0;
    this.heldBytes = 0;
    return batch;
  }

  /** A byte outside all rows: white space, brackets, commas, or the brace that opens one. */
  #opensRow(byte: number): boolean {
    if (isSpace(byte) || this.#isMark(byte)) return false;
    const character = String.fromCharCode(byte);
    const next = STEPS[this.#expecting][character];
    if (next === undefined) {
      throw new UpstreamFailure('unreadable', `no flat JSON array of rows: ${character} in it`);
    }
    this.#expecting = next;
    if (character !== '{') return false;
    this.#depth = 1;
    return true;
  }

  /** A byte inside a row; whether it ends the row. */
  #within(byte: number): boolean {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
    else if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
    return this.#depth === 0;
  }

  /** Jumps to the end of a string: geometry as text is most of the file. */
  #passString(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at += 1;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at);
      const end = quote === -1 ? bytes.length : quote;
      const backslash = bytes.subarray(at, end).indexOf(BACKSLASH);
      if (backslash === -1) {
        if (quote !== -1) this.#inString = false;
        return end + (quote === -1 ? 0 : 1);
      }
      at += backslash + 2;
      if (at > bytes.length) {
        this.#escaped = true;
        return bytes.length;
      }
    }
  }

  #keep(slice: Uint8Array): void {
    this.#row.push(slice);
    this.#rowBytes += slice.length;
    if (this.#rowBytes > this.#limits.rowBytes) {
      throw new UpstreamFailure('too_large', `a row of more than ${this.#limits.rowBytes} bytes`);
    }
  }

  #endRow(): void {
    if (this.#members > 0) this.#rows.push(Uint8Array.of(COMMA));
    this.#rows.push(...this.#row);
    this.heldBytes += this.#rowBytes;
    this.#members += 1;
    this.#row = [];
    this.#rowBytes = 0;
  }

  #isMark(byte: number): boolean {
    return (
      this.#expecting === 'array' &&
      this.#bytesSeen === 0 &&
      (byte === 0xef || byte === 0xbb || byte === 0xbf)
    );
  }
}

/** What may come between rows, and what is expected after it. */
const STEPS: Readonly<Record<Expecting, Readonly<Partial<Record<string, Expecting>>>>> = {
  array: { '[': 'first' },
  first: { '{': 'comma', ']': 'nothing' },
  row: { '{': 'comma' },
  comma: { ',': 'row', ']': 'nothing' },
  nothing: {},
};

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
