/**
 * Rows of a CSV (RFC 4180, and as Danish spreadsheets write it): delimiter `;`, `,`, tab or `|` as the
 * header has it, quoted cells with line breaks, any line end. One pass over the bytes, which go to
 * the chunk's separated text as they are: no text and no object a row. Runs in browsers too.
 */
import { CsvScan, STOP } from '../../bytes/csv-scan.ts';
import type { Stop } from '../../bytes/csv-scan.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  columnsOf,
  delimiterOf,
  headerCells,
  namedDelimiter,
  noHeader,
  tooManyCells,
  unclosed,
} from './csv-head.ts';
import { controlCharacter, refusal, tooManyRows, valueTooLong } from './refusals.ts';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
/** Between cells and between rows: see cells.ts. */
const CELL_END = 0x1f;
const ROW_END = 0x1e;

/** A header is looked at whole; no sensible one is longer. */
const HEADER_BYTES = LIMITS.jobs.columns * (LIMITS.jobs.columnChars.max * 4 + 3) + 2;
/** Bytes a text of the longest can have. */
const VALUE_BYTES = LIMITS.jobs.valueChars * 4;
const NOTHING = new Uint8Array(0);
const FIRST_BYTES = 256 * 1024;

export interface CsvColumnsAndRows {
  readonly columns: readonly string[];
  readonly rows: number;
}

export interface CsvRowsOptions {
  /** Told of rows as separated text, which is overwritten when it returns. */
  readonly onRows: (text: Uint8Array, rows: number) => void;
  /** Absent: as the header has it; null: every line is one cell. */
  readonly delimiter?: number | null | undefined;
}

/** Takes a CSV in UTF-8, without its byte order mark. Throws a Failure naming the row, never a value. */
export class CsvRows {
  readonly #onRows: CsvRowsOptions['onRows'];
  readonly #asked: number | null | undefined;
  #columns: readonly string[] | null = null;
  /** Of the header, until all of it is there; whether what comes next is in quotes. */
  readonly #header: Uint8Array[] = [];
  #headerBytes = 0;
  #isHeaderQuoted = false;
  /** By a line before the header; null: there is none. */
  #named: number | null = null;
  #delimiter: number | null = null;
  #scan = scanOf(null);
  #rows = 0;
  /** The chunk being written, how far, and its rows. */
  #out = new Uint8Array(FIRST_BYTES);
  #at = 0;
  #rowsInChunk = 0;
  /** Of the row under way. */
  #cell = 0;
  #cellStart = 0;
  #rowStart = 0;
  /** Whether the last byte was a CR, so that a LF after it ends no other row. */
  #isAfterCr = false;
  /** Whether the row has anything but a line break: a quoted empty cell is something. */
  #isBlank = true;

  constructor({ onRows, delimiter }: CsvRowsOptions) {
    this.#onRows = onRows;
    this.#asked = delimiter;
  }

  /** null: the header has not come. */
  get columns(): readonly string[] | null {
    return this.#columns;
  }

  /** Of the cells in a row: null is none, or the header has not come. */
  get delimiter(): number | null {
    return this.#delimiter;
  }

  end(): CsvColumnsAndRows {
    if (this.#columns === null && !this.#readHeader(this.#takeHeader())) throw noHeader();
    if (this.#scan.isQuoted) throw unclosed(this.#rows + 1);
    if (this.#scan.isInCell || this.#cell > 0 || !this.#isBlank) this.#endRow();
    this.#endChunk();
    return { columns: this.#columns ?? [], rows: this.#rows };
  }

  /** Of a text that breaks off: the rows that are whole. Nothing may come after it. */
  endWhole(): void {
    this.#endChunk();
  }

  push(text: Uint8Array): void {
    let rest = text;
    while (this.#columns === null) {
      if (this.#isAfterCr && rest[0] === LF) rest = rest.subarray(1);
      const end = this.#endOfHeader(rest);
      if (end === null) {
        this.#isAfterCr &&= rest.length === 0;
        this.#addToHeader(rest);
        if (this.#headerBytes > HEADER_BYTES) throw headerTooLong();
        return;
      }
      this.#addToHeader(rest.subarray(0, end));
      this.#readHeader(this.#takeHeader());
      this.#isAfterCr = rest[end] === CR;
      rest = rest.subarray(end + 1);
    }
    this.#read(rest);
  }

  #addToHeader(bytes: Uint8Array): void {
    this.#header.push(bytes.slice());
    this.#headerBytes += bytes.length;
  }

  #takeHeader(): Uint8Array {
    const whole = new Uint8Array(this.#headerBytes);
    let at = 0;
    for (const bytes of this.#header.splice(0)) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    this.#headerBytes = 0;
    return whole;
  }

  /** Where the first line break outside quotes is; null: not there yet. */
  #endOfHeader(text: Uint8Array): number | null {
    for (let at = 0; at < text.length; at++) {
      const byte = text[at];
      if (byte === QUOTE) this.#isHeaderQuoted = !this.#isHeaderQuoted;
      else if (!this.#isHeaderQuoted && (byte === LF || byte === CR)) return at;
    }
    return null;
  }

  /** false: the line only names the delimiter, and the header is the next. */
  #readHeader(line: Uint8Array): boolean {
    if (line.length > HEADER_BYTES) throw headerTooLong();
    const named = this.#named === null ? namedDelimiter(line) : null;
    if (named !== null) {
      this.#named = named;
      return false;
    }
    const found = this.#named ?? delimiterOf(line);
    this.#delimiter = this.#asked === undefined ? found : this.#asked;
    this.#columns = columnsOf(headerCells(line, this.#delimiter));
    this.#scan = scanOf(this.#delimiter);
    return true;
  }

  /** Every byte in is at most one byte out, and so is every end of a row. */
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
      // The two bytes of one line end.
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
    // More cells than columns are let be while there is nothing in them.
    if (this.#cell < columns) this.#out[this.#at++] = CELL_END;
    else if (this.#cell > columns && this.#at > this.#cellStart) throw tooManyCells(this.#rows + 1);
    this.#cellStart = this.#at;
  }

  #endRow(): void {
    const columns = this.#columns?.length ?? 0;
    if (this.#isBlank) {
      this.#beginRow();
      return;
    }
    this.#checkLength();
    if (this.#cell >= columns && this.#at > this.#cellStart) throw tooManyCells(this.#rows + 1);
    this.#rows++;
    if (this.#rows > LIMITS.jobs.rowsPerJob) throw tooManyRows();
    this.#rowsInChunk++;
    if (this.#rowsInChunk === LIMITS.jobs.chunkRows) this.#endChunk();
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
      // Without the end of its last row, where one was written in hope of another.
      const isOpen = this.#rowsInChunk < LIMITS.jobs.chunkRows;
      const end = isOpen ? this.#rowStart - 1 : this.#at;
      this.#onRows(this.#out.subarray(0, end), this.#rowsInChunk);
    }
    this.#at = 0;
    this.#rowsInChunk = 0;
  }

  /** Of a cell that is whole. */
  #checkLength(): void {
    this.#checkBytes();
    const { valueChars } = LIMITS.jobs;
    const bytes = this.#at - this.#cellStart;
    if (bytes > valueChars && this.#chars() > valueChars) throw this.#tooLong();
  }

  /** Of a cell that goes on, so that none is gathered without end: pieces may be a byte each. */
  #checkBytes(): void {
    if (this.#at - this.#cellStart > VALUE_BYTES) throw this.#tooLong();
  }

  #tooLong() {
    return valueTooLong(this.#rows + 1, this.#columns?.[this.#cell] ?? '');
  }

  /** Of the cell so far: the bytes that do not go on with a character. */
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

/** Control characters that texts of people have none of; the two separators are among them. */
const UNFIT = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  (byte) => byte !== 0x09 && byte !== LF && byte !== CR,
);

function headerTooLong() {
  return refusal(
    'The header, the first line, is too long or its quotes are not closed.',
    'Overskriften, den første linje, er for lang, eller dens citationstegn er ikke lukket.',
  );
}

function afterQuote(row: number) {
  return refusal(
    `Row ${row}: something follows a quoted cell before the next delimiter.`,
    `Række ${row}: der står noget efter en celle i citationstegn før næste skilletegn.`,
  );
}
