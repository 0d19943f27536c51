/** RFC 4180 and Danish variants are read in one pass without an object per row. */
import { invalidRequest } from '../../kernel/failures.ts';
import { CsvScan, STOP } from '../../bytes/csv-scan.ts';
import type { Stop } from '../../bytes/csv-scan.ts';
import { JOB_LIMITS } from '../limits.ts';
import { columnsOf, headerCells, tooManyCells, unclosed } from './csv-head.ts';
import { CsvSample } from './csv-sample.ts';
import { controlCharacter, tooManyRows, valueTooLong } from './refusals.ts';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const CELL_END = 0x1f;
const ROW_END = 0x1e;

const VALUE_BYTES = JOB_LIMITS.valueChars * 4;
const NOTHING = new Uint8Array(0);
const FIRST_BYTES = 256 * 1024;

export interface CsvColumnsAndRows {
  readonly columns: readonly string[];
  readonly rows: number;
  /** The row of column names; all rows are counted. */
  readonly headRow: number;
  /** The same if guessed below titles, else null. */
  readonly guessedHead: number | null;
}

export interface CsvRowsOptions {
  /** `numbers`: row numbers in the file, blank ones counted. */
  readonly onRows: (text: Uint8Array, rows: number, numbers: readonly number[]) => void;
  /** Absent: the header's; null: every line is one cell. */
  readonly delimiter?: number | null | undefined;
  /** The row of column names; null or absent: guessed. */
  readonly headRow?: number | null;
}

/** Reads UTF-8 without byte order mark. Throws with the row, never a value. */
export class CsvRows {
  readonly #onRows: CsvRowsOptions['onRows'];
  readonly #asked: number | null | undefined;
  #columns: readonly string[] | null = null;
  #sample: CsvSample | null;
  #delimiter: number | null = null;
  #scan = scanOf(null);
  #rows = 0;
  #out = new Uint8Array(FIRST_BYTES);
  #at = 0;
  #rowsInChunk = 0;
  #numbers: number[] = [];
  #headRow = 1;
  #guessedHead: number | null = null;
  #number = 1;
  #cell = 0;
  #cellStart = 0;
  #rowStart = 0;
  /** The last byte was CR, so a following LF ends no row. */
  #isAfterCr = false;
  /** Only a line break so far: a quoted empty cell counts as content. */
  #isBlank = true;

  constructor({ onRows, delimiter, headRow = null }: CsvRowsOptions) {
    this.#onRows = onRows;
    this.#asked = delimiter;
    this.#sample = new CsvSample(headRow);
  }

  /** null: no header yet. */
  get columns(): readonly string[] | null {
    return this.#columns;
  }

  /** null: none, or no header yet. */
  get delimiter(): number | null {
    return this.#delimiter;
  }

  end(): CsvColumnsAndRows {
    if (this.#sample !== null) {
      this.#sample.end();
      this.#begin(this.#sample);
    }
    if (this.#scan.isQuoted) throw unclosed(this.#rows + 1);
    if (this.#scan.isInCell || this.#cell > 0 || !this.#isBlank) this.#endRow();
    this.#endChunk();
    return {
      columns: this.#columns ?? [],
      rows: this.#rows,
      headRow: this.#headRow,
      guessedHead: this.#guessedHead,
    };
  }

  /** For truncated text. Must be the last call. */
  endWhole(): void {
    if (this.#sample?.hasHeader === true) this.#begin(this.#sample);
    this.#endChunk();
  }

  push(text: Uint8Array): void {
    if (this.#sample === null) {
      this.#read(text);
      return;
    }
    this.#sample.push(text);
    if (this.#sample.isFull) this.#begin(this.#sample);
  }

  #begin(sample: CsvSample): void {
    this.#delimiter = sample.begin(this.#asked);
    this.#sample = null;
    this.#headRow = sample.headRow;
    this.#guessedHead = sample.guessedHead;
    this.#number = sample.headRow;
    this.#columns = columnsOf(headerCells(sample.header, this.#delimiter));
    this.#scan = scanOf(this.#delimiter);
    const { rest } = sample;
    this.#isAfterCr = rest[0] === CR;
    this.#read(rest.subarray(1));
  }

  /** Each input byte and each row end gives at most one output byte. */
  #read(text: Uint8Array): void {
    const scan = this.#scan;
    this.#grow(text.length);
    scan.out = this.#out;
    scan.to = this.#at;
    scan.feed(text);
    for (let stop = scan.next(); stop !== STOP.end; stop = scan.next()) {
      this.#at = scan.to;
      if (scan.at > scan.start) this.#sawText();
      this.#meet(stop, text[scan.at] as number);
      scan.to = this.#at;
      scan.out = this.#out;
    }
    this.#at = scan.to;
    if (scan.at > scan.start) this.#sawText();
    this.#checkBytes();
  }

  #sawText(): void {
    if (this.#scan.isBehindQuote) throw afterQuote(this.#rows + 1);
    this.#isBlank = false;
    this.#isAfterCr = false;
  }

  #meet(stop: Stop, byte: number): void {
    if (stop === STOP.lineEnd) {
      // CR LF is one line end.
      if (byte === LF && this.#isAfterCr) this.#isAfterCr = false;
      else {
        this.#endRow();
        this.#isAfterCr = byte === CR;
      }
      return;
    }
    if (stop === STOP.unfit) throw controlCharacter(this.#rows + 1);
    this.#isAfterCr = false;
    this.#isBlank = false;
    if (stop === STOP.delimiter) this.#endCell();
    else if (stop === STOP.letter) this.#out[this.#at++] = QUOTE;
    else this.#checkBytes();
  }

  #endCell(): void {
    this.#checkLength();
    this.#cell++;
    const columns = this.#columns?.length ?? 0;
    // Accepts extra cells while they are empty.
    if (this.#cell < columns) this.#out[this.#at++] = CELL_END;
    else if (this.#cell > columns && this.#at > this.#cellStart) throw tooManyCells(this.#rows + 1);
    this.#cellStart = this.#at;
  }

  #endRow(): void {
    const columns = this.#columns?.length ?? 0;
    this.#number++;
    if (this.#isBlank) {
      this.#beginRow();
      return;
    }
    this.#checkLength();
    if (this.#cell >= columns && this.#at > this.#cellStart) throw tooManyCells(this.#rows + 1);
    this.#rows++;
    if (this.#rows > JOB_LIMITS.rowsPerJob) throw tooManyRows();
    this.#rowsInChunk++;
    this.#numbers.push(this.#number);
    if (this.#rowsInChunk === JOB_LIMITS.chunkRows) this.#endChunk();
    else {
      this.#grow(1);
      this.#out[this.#at++] = ROW_END;
    }
    this.#beginRow();
  }

  #beginRow(): void {
    this.#cell = 0;
    this.#cellStart = this.#at;
    this.#rowStart = this.#at;
    this.#isBlank = true;
  }

  #endChunk(): void {
    if (this.#rowsInChunk > 0) {
      // Without the trailing separator, if one was written.
      const isOpen = this.#rowsInChunk < JOB_LIMITS.chunkRows;
      const end = isOpen ? this.#rowStart - 1 : this.#at;
      this.#onRows(this.#out.subarray(0, end), this.#rowsInChunk, this.#numbers);
    }
    this.#at = 0;
    this.#rowsInChunk = 0;
    this.#numbers = [];
  }

  #checkLength(): void {
    this.#checkBytes();
    const { valueChars } = JOB_LIMITS;
    const bytes = this.#at - this.#cellStart;
    if (bytes > valueChars && this.#chars() > valueChars) throw this.#tooLong();
  }

  /** Limits unfinished cells too: pieces may be single bytes. */
  #checkBytes(): void {
    if (this.#at - this.#cellStart > VALUE_BYTES) throw this.#tooLong();
  }

  #tooLong() {
    return valueTooLong(this.#rows + 1, this.#columns?.[this.#cell] ?? '');
  }

  /** Counts bytes that start a character. */
  #chars(): number {
    let chars = 0;
    for (let at = this.#cellStart; at < this.#at; at++) {
      if (((this.#out[at] as number) & 0xc0) !== 0x80) chars++;
    }
    return chars;
  }

  #grow(bytes: number): void {
    const needed = this.#at + bytes + 1;
    if (needed <= this.#out.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#out.length * 2));
    larger.set(this.#out.subarray(0, this.#at));
    this.#out = larger;
  }
}

function scanOf(delimiter: number | null): CsvScan {
  return new CsvScan({ delimiter, lineEnds: [CR, LF], unfit: UNFIT, out: NOTHING });
}

const UNFIT = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  (byte) => byte !== 0x09 && byte !== LF && byte !== CR,
);

function afterQuote(row: number) {
  return invalidRequest(
    `Row ${row}: something follows a quoted cell before the next delimiter.`,
    `Række ${row}: der står noget efter en celle i citationstegn før næste skilletegn.`,
  );
}
