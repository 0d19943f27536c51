/**
 * Rows of a CSV (RFC 4180, and as Danish spreadsheets write it): delimiter `;`, `,`, tab or `|` as the
 * header has it, quoted cells with line breaks, any line end. One pass over the bytes, which go to
 * the chunk's separated text as they are: no text and no object a row.
 */
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

/** What a byte is outside quotes. */
const ORDINARY = 0;
const DELIMITER = 1;
const BREAK = 2;
const QUOTED = 3;
const UNFIT = 4;

/** A header is looked at whole; no sensible one is longer. */
const HEADER_BYTES = LIMITS.jobs.columns * (LIMITS.jobs.columnChars.max * 4 + 3) + 2;
const DELIMITERS = [';', ',', '\t', '|'].map((text) => text.charCodeAt(0));
/** Bytes a text of the longest can have. */
const VALUE_BYTES = LIMITS.jobs.valueChars * 4;
const NOTHING = Buffer.alloc(0);
const FIRST_ROOM = 256 * 1024;

type Place = 'start' | 'plain' | 'quoted' | 'closing';

export class CsvReader implements RowsReader {
  readonly #pieces: Utf8Pieces;
  readonly #chunks: ReadChunk[] = [];
  #columns: readonly string[] | null = null;
  /** Of the header, until all of it is there; whether what comes next is in quotes. */
  readonly #header = new ByteAccumulator();
  #isHeaderQuoted = false;
  /** By a line before the header; null: there is none. */
  #named: number | null = null;
  #classes = classesOf(null);
  #rows = 0;
  /** The chunk being written, how far, and its rows. */
  #out = Buffer.allocUnsafe(FIRST_ROOM);
  #at = 0;
  #rowsInChunk = 0;
  /** Where in the text: in a cell, of which row. */
  #place: Place = 'start';
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
    if (this.#place === 'quoted') throw unclosed(this.#rows + 1);
    if (this.#place !== 'start' || this.#cell > 0 || !this.#isBlank) this.#endRow();
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
    this.#scan(rest);
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
    this.#classes = classesOf(delimiter);
    return true;
  }

  /** Every byte in is at most one byte out, and so is every end of a row. */
  #scan(text: Buffer): void {
    this.#makeRoom(text.length);
    let from = 0;
    while (from < text.length) {
      from = this.#place === 'quoted' ? this.#inQuotes(text, from) : this.#outside(text, from);
    }
  }

  /** Goes on to the next byte that means something; where it is done. */
  #outside(text: Buffer, start: number): number {
    const classes = this.#classes;
    const out = this.#out;
    let from = start;
    let at = this.#at;
    let kind = ORDINARY;
    while (from < text.length) {
      const byte = text[from] as number;
      kind = classes[byte] as number;
      if (kind !== ORDINARY) break;
      out[at++] = byte;
      from++;
    }
    if (from > start) this.#sawPlain();
    this.#at = at;
    if (from === text.length) this.#checkBytes();
    else this.#meet(kind, text[from] as number);
    return from + 1;
  }

  #sawPlain(): void {
    if (this.#place === 'closing') throw afterQuote(this.#rows + 1);
    this.#place = 'plain';
    this.#isBlank = false;
    this.#isAfterCr = false;
  }

  #meet(kind: number, byte: number): void {
    if (kind === UNFIT) throw controlCharacter(this.#rows + 1);
    if (kind === BREAK) {
      // The two bytes of one line end.
      if (byte === LF && this.#isAfterCr) this.#isAfterCr = false;
      else {
        this.#endRow();
        this.#isAfterCr = byte === CR;
      }
      return;
    }
    this.#isAfterCr = false;
    this.#isBlank = false;
    if (kind === DELIMITER) {
      this.#endCell();
      return;
    }
    if (this.#place === 'start') this.#place = 'quoted';
    else {
      // Doubled within quotes it is one; in the middle of a plain cell it is what it looks like.
      if (this.#place === 'closing') this.#place = 'quoted';
      this.#out[this.#at++] = QUOTE;
    }
  }

  #inQuotes(text: Buffer, start: number): number {
    const found = text.indexOf(QUOTE, start);
    const end = found === -1 ? text.length : found;
    for (let from = start; from < end; from++) {
      const byte = text[from] as number;
      if (byte < 0x20 && isUnfit(byte)) throw controlCharacter(this.#rows + 1);
      this.#out[this.#at++] = byte;
    }
    this.#checkBytes();
    if (found !== -1) this.#place = 'closing';
    return end + 1;
  }

  #endCell(): void {
    this.#checkLength();
    this.#place = 'start';
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
    this.#place = 'start';
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

function classesOf(delimiter: number | null): Uint8Array {
  const classes = new Uint8Array(256);
  for (let byte = 0; byte < 0x20; byte++) if (isUnfit(byte)) classes[byte] = UNFIT;
  classes[CR] = BREAK;
  classes[LF] = BREAK;
  classes[QUOTE] = QUOTED;
  if (delimiter !== null) classes[delimiter] = DELIMITER;
  return classes;
}

/** Control characters that texts of people have none of; the two separators are among them. */
function isUnfit(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== LF && byte !== CR;
}

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
function columnsOf(cells: readonly string[]): readonly string[] {
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

function tooManyCells(row: number) {
  return refusal(
    `Row ${row} has more cells than the header has columns.`,
    `Række ${row} har flere celler, end overskriften har kolonner.`,
  );
}
