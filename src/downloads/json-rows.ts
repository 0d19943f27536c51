/**
 * Cuts one flat array into arrays of a few megabytes and counts rows by braces. The thread that
 * parses one must find as many.
 */
import { joined } from '../bytes/join.ts';
import { END, JsonScan, stopsOf } from '../bytes/json-scan.ts';
import { LIMITS } from '../kernel/limits.ts';
import { UpstreamFailure } from '../wfs/failure.ts';

/** A JSON array of `members` rows. The bytes own their buffer and may be transferred. */
export interface RowBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly members: number;
}

export interface RowLimits {
  readonly batchBytes: number;
  readonly rowBytes: number;
}

export const LIMITS_OF_ROWS: RowLimits = {
  batchBytes: LIMITS.downloadBatchBytes,
  rowBytes: LIMITS.downloadRowBytes,
};

/**
 * Throws UpstreamFailure: `truncated` before the end of the array, `unreadable` for anything else.
 */
export async function* cutRows(
  source: AsyncIterable<Uint8Array>,
  limits: RowLimits = LIMITS_OF_ROWS,
): AsyncGenerator<RowBatch, void, void> {
  yield* cutBy(new RowCutter(limits), source);
}

interface Cutter<Batch> {
  readonly isFull: boolean;
  push(chunk: Uint8Array): void;
  end(): void;
  /** null: no whole row is held. */
  take(): Batch | null;
}

export async function* cutBy<Batch>(
  cutter: Cutter<Batch>,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Batch, void, void> {
  for await (const chunk of source) {
    cutter.push(chunk);
    const batch = cutter.isFull ? cutter.take() : null;
    if (batch !== null) yield batch;
  }
  cutter.end();
  const rest = cutter.take();
  if (rest !== null) yield rest;
}

const OPEN_BRACE = 0x7b;
const COMMA = Uint8Array.of(0x2c);
const OPENING = Uint8Array.of(0x5b);
const CLOSING = Uint8Array.of(0x5d);

type Expecting = 'array' | 'first' | 'row' | 'comma' | 'nothing';

class RowCutter {
  readonly #limits: RowLimits;
  /** Stops at everything in the array outside rows, and at the end of a row. */
  readonly #scan = new JsonScan(stopsOf(''), 1);
  #expecting: Expecting = 'array';
  #bytesSeen = 0;
  #row: Uint8Array[] = [];
  #rowBytes = 0;
  #rows: Uint8Array[] = [];
  #members = 0;
  #heldBytes = 0;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#heldBytes >= this.#limits.batchBytes;
  }

  push(chunk: Uint8Array): void {
    const scan = this.#scan;
    let rowStart = scan.depth > 1 ? 0 : -1;
    scan.feed(chunk);
    for (let byte = scan.next(); byte !== END; byte = scan.next()) {
      if (rowStart === -1) {
        if (this.#opensRow(byte)) rowStart = scan.at;
      } else if (scan.depth === 1) {
        this.#keep(chunk.subarray(rowStart, scan.at + 1));
        this.#endRow();
        rowStart = -1;
      }
    }
    if (rowStart >= 0) this.#keep(chunk.subarray(rowStart));
    this.#bytesSeen += chunk.length;
  }

  end(): void {
    if (this.#expecting === 'nothing') return;
    const what = this.#expecting === 'array' ? 'no JSON array' : 'a JSON array that is cut off';
    const kind = this.#expecting === 'array' ? 'unreadable' : 'truncated';
    throw new UpstreamFailure(kind, `${what} after ${this.#bytesSeen} bytes`);
  }

  take(): RowBatch | null {
    const members = this.#members;
    if (members === 0) return null;
    const bytes = joined([OPENING, ...this.#rows, CLOSING]);
    this.#rows = [];
    this.#members = 0;
    this.#heldBytes = 0;
    return { bytes, members };
  }

  #opensRow(byte: number): boolean {
    if (isSpace(byte) || this.#isMark(byte)) return false;
    const character = String.fromCharCode(byte);
    const next = STEPS[this.#expecting][character];
    if (next === undefined) {
      throw new UpstreamFailure('unreadable', `no flat JSON array of rows: ${character} in it`);
    }
    this.#expecting = next;
    return byte === OPEN_BRACE;
  }

  #keep(slice: Uint8Array): void {
    this.#row.push(slice);
    this.#rowBytes += slice.length;
    if (this.#rowBytes > this.#limits.rowBytes) {
      throw new UpstreamFailure('too_large', `a row of more than ${this.#limits.rowBytes} bytes`);
    }
  }

  #endRow(): void {
    if (this.#members > 0) this.#rows.push(COMMA);
    this.#rows.push(...this.#row);
    this.#heldBytes += this.#rowBytes;
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
