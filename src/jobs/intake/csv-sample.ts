/** Holds the beginning of a CSV until the delimiter is known. */
import { invalidRequest } from '../../kernel/failures.ts';
import { JOB_LIMITS } from '../limits.ts';
import { delimiterOf, headerCells, isBlankLine, namedDelimiter, noHeader } from './csv-head.ts';
import { HEAD_SAMPLE_ROWS, headOf, noSuchHead } from './head-row.ts';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

const HEADER_BYTES = JOB_LIMITS.columns * (JOB_LIMITS.columnChars.max * 4 + 3) + 2;
const SAMPLE_ROWS = 50;
const SAMPLE_BYTES = 64 * 1024;

interface Line {
  readonly from: number;
  readonly to: number;
  /** The row in the file. */
  readonly number: number;
}

export class CsvSample {
  readonly #asked: number | null;
  #bytes = new Uint8Array(4 * 1024);
  #length = 0;
  #isQuoted = false;
  #lineStart = 0;
  #header: Line | null = null;
  /** Rows after the header. */
  #rows: Line[] = [];
  #number = 0;
  named: number | null = null;
  /** The head's row, if guessed below titles. */
  guessedHead: number | null = null;

  /** `asked`: the row of column names; null: guessed. */
  constructor(asked: number | null = null) {
    this.#asked = asked;
  }

  get isFull(): boolean {
    if (this.#header === null) return false;
    const sampled = this.#length - this.#header.to;
    return this.#rows.length >= SAMPLE_ROWS || sampled >= SAMPLE_BYTES;
  }

  get hasHeader(): boolean {
    return this.#header !== null;
  }

  push(text: Uint8Array): void {
    this.#grow(text.length);
    const from = this.#length;
    this.#bytes.set(text, from);
    this.#length += text.length;
    for (let at = from; at < this.#length && !this.isFull; at++) this.#meet(at);
    if (this.#header === null && this.#length - this.#lineStart > HEADER_BYTES) {
      throw headerTooLong();
    }
  }

  end(): void {
    if (this.#length > this.#lineStart) this.#endLine(this.#length);
  }

  get header(): Uint8Array {
    const { from, to } = this.#header ?? { from: 0, to: 0 };
    return this.#bytes.subarray(from, to);
  }

  /** In bytes. */
  get headStart(): number {
    return this.#header?.from ?? 0;
  }

  get headRow(): number {
    return this.#header?.number ?? 1;
  }

  /** Returns the delimiter in use. `delimiter` undefined: the sample's. */
  begin(delimiter: number | null | undefined): number | null {
    const header = this.#header;
    if (header === null) throw this.#asked === null ? noHeader() : noSuchHead(this.#asked);
    const mark = delimiter === undefined ? this.delimiter : delimiter;
    if (this.#asked !== null) {
      if (header.number !== this.#asked) throw noSuchHead(this.#asked);
      return mark;
    }
    const lines = [header, ...this.#rows.slice(0, HEAD_SAMPLE_ROWS)].map((line) => ({
      ...line,
      cells: headerCells(this.#bytes.subarray(line.from, line.to), mark),
    }));
    // A title has further empty cells.
    if ((lines[0]?.cells.length ?? 0) > 1) this.#header = headOf(lines, null);
    if (this.headRow !== header.number) this.guessedHead = this.headRow;
    return mark;
  }

  get rest(): Uint8Array {
    return this.#bytes.subarray(this.#header?.to ?? 0, this.#length);
  }

  /** null: every line is one cell. */
  get delimiter(): number | null {
    const rows = this.#rows.map(({ from, to }) => this.#bytes.subarray(from, to));
    return this.named ?? delimiterOf(this.header, rows);
  }

  #meet(at: number): void {
    const byte = this.#bytes[at];
    if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
    else if (!this.#isQuoted && (byte === LF || byte === CR)) this.#endLine(at);
  }

  #endLine(at: number): void {
    const line = this.#bytes.subarray(this.#lineStart, at);
    const isBehindCr = line.length === 0 && at > 0 && this.#bytes[at - 1] === CR;
    const from = this.#lineStart;
    this.#lineStart = at + 1;
    // The LF of a CR LF.
    if (isBehindCr && this.#bytes[at] === LF) return;
    const isFirst = this.#header === null && this.named === null;
    const named = isFirst ? namedDelimiter(line) : null;
    if (named !== null) {
      this.named = named;
      return;
    }
    this.#number += 1;
    const number = this.#number;
    if (this.#header !== null) {
      if (line.length > 0) this.#rows.push({ from, to: at, number });
      return;
    }
    // Skips blank lines and titles before the header.
    if (isBlankLine(line) || number < (this.#asked ?? 1)) return;
    if (line.length > HEADER_BYTES) throw headerTooLong();
    this.#header = { from, to: at, number };
  }

  #grow(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + bytes, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function headerTooLong() {
  return invalidRequest(
    'The header, the first line, is too long or its quotes are not closed.',
    'Overskriften, den første linje, er for lang, eller dens citationstegn er ikke lukket.',
  );
}
