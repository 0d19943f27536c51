/**
 * Cuts at row ends into pieces of a few megabytes and counts rows. The thread that parses a piece
 * must find as many.
 */
import { joined } from '../bytes/join.ts';
import { UpstreamFailure } from '../wfs/failure.ts';
import { LIMITS_OF_ROWS, cutBy } from './json-rows.ts';
import type { RowBatch, RowLimits } from './json-rows.ts';

export interface CsvHead {
  readonly columns: readonly string[];
  readonly delimiter: number;
}

export interface CsvBatch extends RowBatch {
  readonly head: CsvHead;
  /** Line of the first byte, from 1. */
  readonly firstLine: number;
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Throws UpstreamFailure: `truncated` inside a quoted value, `unreadable` without a first line. */
export async function* cutCsv(
  source: AsyncIterable<Uint8Array>,
  limits: RowLimits = LIMITS_OF_ROWS,
): AsyncGenerator<CsvBatch, void, void> {
  yield* cutBy(new CsvCutter(limits), source);
}

class CsvCutter {
  readonly #limits: RowLimits;
  #head: CsvHead | null = null;
  #chunks: Uint8Array[] = [];
  #held = 0;
  /** End of the last whole row in the held bytes, and rows before it. */
  #wholeTo = 0;
  #members = 0;
  #lines = 0;
  #wholeLines = 0;
  #heldLines = 0;
  #quoted = false;
  /** The current row has any byte: blank lines are no rows. */
  #filled = false;
  #ended = false;

  constructor(limits: RowLimits) {
    this.#limits = limits;
  }

  get isFull(): boolean {
    return this.#held >= this.#limits.batchBytes;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#chunks.push(chunk);
    let at = 0;
    let rowStart = 0;
    let quote = bytes.indexOf(QUOTE);
    let end = bytes.indexOf(LF);
    for (;;) {
      if (this.#quoted) {
        const isEnded = quote !== -1;
        at = isEnded ? quote + 1 : bytes.length;
        end = this.#passLines(bytes, end, at);
        if (!isEnded) break;
        this.#quoted = false;
        quote = bytes.indexOf(QUOTE, at);
      }
      if (quote !== -1 && (end === -1 || quote < end)) {
        this.#quoted = true;
        at = quote + 1;
        quote = bytes.indexOf(QUOTE, at);
        continue;
      }
      if (end === -1) break;
      if (this.#filled || isFilled(bytes, rowStart, end)) this.#members += 1;
      this.#filled = false;
      this.#wholeTo = this.#held + end + 1;
      this.#lines += 1;
      this.#wholeLines = this.#lines;
      at = end + 1;
      rowStart = at;
      end = bytes.indexOf(LF, at);
    }
    this.#filled ||= isFilled(bytes, rowStart, bytes.length);
    this.#held += bytes.length;
    if (this.#held - this.#wholeTo > this.#limits.rowBytes) {
      throw new UpstreamFailure('too_large', `a row of more than ${this.#limits.rowBytes} bytes`);
    }
  }

  /** Counts line ends before `to`, starting with the one at `end`; returns the next one. */
  #passLines(bytes: Buffer, end: number, to: number): number {
    let next = end;
    for (; next !== -1 && next < to; next = bytes.indexOf(LF, next + 1)) this.#lines += 1;
    return next;
  }

  end(): void {
    if (this.#quoted) throw new UpstreamFailure('truncated', 'a CSV file ends inside a value');
    // The last row needs no line end.
    if (this.#filled) this.#members += 1;
    this.#filled = false;
    this.#wholeTo = this.#held;
    this.#ended = true;
  }

  /** The whole rows held; null: none. Consumes the first line. */
  take(): CsvBatch | null {
    if (this.#head === null && this.#members === 0) {
      if (!this.#ended) return null;
      throw new UpstreamFailure('unreadable', 'a CSV file without a line of column names');
    }
    const all = joined(this.#chunks);
    const whole = all.subarray(0, this.#wholeTo);
    const rest = all.slice(this.#wholeTo);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#wholeTo = 0;
    let members = this.#members;
    this.#members = 0;
    let from = 0;
    let firstLine = this.#heldLines + 1;
    this.#heldLines = this.#wholeLines;
    if (this.#head === null) {
      const end = whole.indexOf(LF);
      from = end === -1 ? whole.length : end + 1;
      this.#head = headOf(whole.subarray(0, from));
      members -= 1;
      firstLine += 1;
    }
    if (members === 0) return null;
    return { bytes: whole.slice(from), members, head: this.#head, firstLine };
  }
}

function isFilled(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start > 1 || (end - start === 1 && bytes[start] !== CR);
}

function headOf(line: Uint8Array): CsvHead {
  const text = new TextDecoder().decode(line).trim();
  const [delimiter = ','] = [',', ';', '\t', '|'].sort(
    (a, b) => text.split(b).length - text.split(a).length,
  );
  const columns = text.split(delimiter).map((name) => name.replaceAll('"', '').trim());
  return { columns, delimiter: delimiter.charCodeAt(0) };
}
