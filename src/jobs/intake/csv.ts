/**
 * Rows of a CSV (RFC 4180, and as Danish spreadsheets write it): delimiter `;`, `,`, tab or `|` as the
 * header has it, quoted cells with line breaks, any line end. One pass over the bytes, which go to
 * the chunk's separated text as they are: no text and no object a row.
 */
import { CsvScan, STOP } from '../../bytes/csv-scan.ts';
import type { Stop } from '../../bytes/csv-scan.ts';
import { textChunk } from '../chunk-rows.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { Utf8Pieces } from './charset.ts';
import type { Charset } from './charset.ts';
import { ByteAccumulator } from './byte-accumulator.ts';
import {
  checkColumnCount,
  checkColumnName,
  controlCharacter,
  refusal,
  tooManyRows,
  valueTooLong,
} from './rows-reader.ts';
import type { ReadChunk, ReadRows, RowsReader } from './rows-reader.ts';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const CELL_END = 0x1f;
const ROW_END = 0x1e;

/** A header is looked at whole; no sensible one is longer. */
const HEADER_BYTES = LIMITS.jobs.columns * (LIMITS.jobs.columnChars.max * 4 + 3) + 2;
const DELIMITERS = [';', ',', '\t', '|'].map((text) => text.charCodeAt(0));
/** Bytes a text of the longest can have. */
const VALUE_BYTES = LIMITS.jobs.valueChars * 4;
const NOTHING = Buffer.alloc(0);
const FIRST_ROOM = 256 * 1024;

export class CsvReader implements RowsReader {
  readonly #pieces: Utf8Pieces;
  readonly #chunks: ReadChunk[] = [];
  #columns: readonly string[] | null = null;
  /** Of the header, until all of it is there; whether what comes next is in quotes. */
  readonly #header = new ByteAccumulator();
  #isHeaderQuoted = false;
  /** By a line before the header; null: there is none. */
  #named: number | null = null;
  #scan = scanOf(null);
  #rows = 0;
  /** The chunk being written, how far, and its rows. */
  #out = Buffer.allocUnsafe(FIRST_ROOM);
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

  constructor(charset: Charset | null = null) {
    this.#pieces = new Utf8Pieces(charset);
  }

  push(bytes: Buffer): void {
    this.#take(this.#pieces.push(bytes));
  }

  end(): ReadRows {
    this.#take(this.#pieces.end());
    if (this.#columns === null && !this.#readHeader(this.#header.takeWith(NOTHING))) {
      throw noHeader();
    }
    if (this.#scan.isQuoted) throw unclosed(this.#rows + 1);
    if (this.#scan.isInCell || this.#cell > 0 || !this.#isBlank) this.#endRow();
    this.#endChunk();
    return { columns: this.#columns ?? [], chunks: this.#chunks, rows: this.#rows };
  }

  #take(text: Buffer): void {
    let rest = text;
    while (this.#columns === null) {
      if (this.#isAfterCr && rest[0] === LF) rest = rest.subarray(1);
      const end = this.#endOfHeader(rest);
      if (end === null) {
        this.#isAfterCr &&= rest.length === 0;
        this.#header.add(rest);
        if (this.#header.length > HEADER_BYTES) throw headerTooLong();
        return;
      }
      this.#readHeader(this.#header.takeWith(rest.subarray(0, end)));
      this.#isAfterCr = rest[end] === CR;
      rest = rest.subarray(end + 1);
    }
    this.#read(rest);
  }

  /** Where the first line break outside quotes is; null: not there yet. */
  #endOfHeader(text: Buffer): number | null {
    for (let at = 0; at < text.length; at++) {
      const byte = text[at];
      if (byte === QUOTE) this.#isHeaderQuoted = !this.#isHeaderQuoted;
      else if (!this.#isHeaderQuoted && (byte === LF || byte === CR)) return at;
    }
    return null;
  }

  /** false: the line only names the delimiter, and the header is the next. */
  #readHeader(line: Buffer): boolean {
    if (line.length > HEADER_BYTES) throw headerTooLong();
    const named = this.#named === null ? namedDelimiter(line) : null;
    if (named !== null) {
      this.#named = named;
      return false;
    }
    const delimiter = this.#named ?? delimiterOf(line);
    this.#columns = columnsOf(cellsOf(line, delimiter));
    this.#scan = scanOf(delimiter);
    return true;
  }

  /** Every byte in is at most one byte out, and so is every end of a row. */
  #read(text: Buffer): void {
    const scan = this.#scan;
    this.#makeRoom(text.length);
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
      this.#makeRoom(1);
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
      this.#chunks.push({ input: textChunk(this.#out.subarray(0, end)), rows: this.#rowsInChunk });
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

  #makeRoom(bytes: number): void {
    const needed = this.#at + bytes + 1;
    if (needed <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#out.length * 2));
    this.#out.copy(larger, 0, 0, this.#at);
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

const NAMED_DELIMITER = /^\ufeff?"?sep=([;,\t|])"?\s*$/i;

/** The delimiter that a first line names for Excel, as `sep=;` does; null: it is no such line. */
export function namedDelimiter(line: Buffer): number | null {
  if (line.length > 16) return null;
  return NAMED_DELIMITER.exec(line.toString())?.[1]?.charCodeAt(0) ?? null;
}

/** The one the header has most of; null where it has none: then every line is one cell. */
export function delimiterOf(line: Buffer): number | null {
  const counts = DELIMITERS.map((delimiter) => countOutsideQuotes(line, delimiter));
  const most = Math.max(...counts);
  return most === 0 ? null : (DELIMITERS[counts.indexOf(most)] ?? null);
}

function countOutsideQuotes(line: Buffer, delimiter: number): number {
  let count = 0;
  let isQuoted = false;
  for (const byte of line) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (!isQuoted && byte === delimiter) count++;
  }
  return count;
}

function cellsOf(line: Buffer, delimiter: number | null): readonly string[] {
  const text = line.toString();
  const mark = delimiter === null ? null : String.fromCharCode(delimiter);
  const cells: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const char = text[at];
    if (char === '"') isQuoted = !isQuoted;
    if (at < text.length && (isQuoted || char !== mark)) continue;
    cells.push(unquoted(text.slice(from, at).trim()));
    from = at + 1;
  }
  return cells;
}

function unquoted(cell: string): string {
  if (cell.length < 2 || !cell.startsWith('"') || !cell.endsWith('"')) return cell;
  return cell.slice(1, -1).replaceAll('""', '"').trim();
}

/** Spreadsheets end a header with empty cells now and then; those are no columns. */
export function columnsOf(cells: readonly string[]): readonly string[] {
  const columns = cells.slice(0, cells.findLastIndex((name) => name !== '') + 1);
  if (columns.length === 0) throw noHeader();
  checkColumnCount(columns.length);
  const seen = new Set<string>();
  for (const [i, name] of columns.entries()) {
    checkColumnName(name, { en: `Column ${i + 1}`, da: `Kolonne ${i + 1}` });
    if (seen.has(name)) {
      throw refusal(
        `Column ${i + 1} has the name of another column: ${name.slice(0, 40)}.`,
        `Kolonne ${i + 1} hedder det samme som en anden kolonne: ${name.slice(0, 40)}.`,
      );
    }
    seen.add(name);
  }
  return columns;
}

function noHeader() {
  return refusal(
    'The first line must be a header that names the columns.',
    'Den første linje skal være en overskrift med kolonnernes navne.',
  );
}

function headerTooLong() {
  return refusal(
    'The header, the first line, is too long or its quotes are not closed.',
    'Overskriften, den første linje, er for lang, eller dens citationstegn er ikke lukket.',
  );
}

function unclosed(row: number) {
  return refusal(
    `Row ${row}: a quoted cell is not closed.`,
    `Række ${row}: en celle i citationstegn er ikke lukket.`,
  );
}

function afterQuote(row: number) {
  return refusal(
    `Row ${row}: something follows a quoted cell before the next delimiter.`,
    `Række ${row}: der står noget efter en celle i citationstegn før næste skilletegn.`,
  );
}

export function tooManyCells(row: number) {
  return refusal(
    `Row ${row} has more cells than the header has columns.`,
    `Række ${row} har flere celler, end overskriften har kolonner.`,
  );
}
