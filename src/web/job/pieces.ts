/** Bodies of a few megabytes, cut at the same places each time: a repeated one is known. */
import { JOB_LIMITS } from '../../jobs/for-pages.ts';
import type { Cell, Row } from '../../jobs/for-pages.ts';
import type { RowBatch } from './source.ts';

export interface Piece {
  readonly body: string;
  readonly type: string;
  /** In the file, from 1. */
  readonly firstRow: number;
  readonly rows: number;
}

/** A character is at most three bytes, and a body at most 10 MB. */
const PIECE_CHARS = 2_000_000;

export interface PiecesOptions {
  /** Whether every cell is a text, as in a CSV; else NDJSON, which keeps types. */
  readonly isText: boolean;
  /** Cells stand in the order of the columns. */
  readonly rewrite?: (row: Row, columns: readonly string[]) => Row;
  readonly pieceChars?: number;
}

/** A column of the job's files: a person finds the row in the sheet again. */
const ROW_COLUMN = 'Række i filen';

/** With each row's number in the file, unless there is such a column or no room. */
export async function* numbered(
  batches: AsyncIterable<RowBatch>,
): AsyncGenerator<RowBatch, void, undefined> {
  for await (const batch of batches) {
    const { columns, rows, numbers } = batch;
    const isFull = columns.length >= JOB_LIMITS.columns || columns.includes(ROW_COLUMN);
    if (isFull || numbers === null) yield batch;
    else {
      yield {
        columns: [...columns, ROW_COLUMN],
        rows: rows.map((row, i) => [...columns.map((_name, place) => row[place]), numbers[i]]),
        numbers,
      };
    }
  }
}

export async function* piecesOf(
  batches: AsyncIterable<RowBatch>,
  { isText, rewrite = (row) => row, pieceChars = PIECE_CHARS }: PiecesOptions,
): AsyncGenerator<Piece, void, undefined> {
  let lines: string[] = [];
  let chars = 0;
  let firstRow = 1;
  let head = '';
  const piece = (): Piece => ({
    body: head + lines.join(''),
    type: isText ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
    firstRow,
    rows: lines.length,
  });
  for await (const { columns, rows } of batches) {
    if (isText) head = csvHead(columns);
    for (const given of rows) {
      const row = rewrite(given, columns);
      const line = isText ? csvLine(row) : jsonLine(row, columns);
      if (chars + line.length > pieceChars && lines.length > 0) {
        yield piece();
        firstRow += lines.length;
        lines = [];
        chars = 0;
      }
      lines.push(line);
      chars += line.length;
    }
  }
  if (lines.length > 0) yield piece();
}

/** The delimiter is named: a header of one column has none to be found. */
function csvHead(columns: readonly string[]): string {
  return `sep=;\r\n${csvLine(columns)}`;
}

function csvLine(cells: readonly Cell[]): string {
  const [only] = cells;
  // A line without anything would be no row.
  if (cells.length === 1 && (only ?? '') === '') return '""\r\n';
  return `${cells.map(csvCell).join(';')}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = String(cell ?? '');
  return /[";,|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function jsonLine(row: Row, columns: readonly string[]): string {
  const named = columns.map((name, place) => [name, row[place]] as const);
  // What is undefined is not written.
  return `${JSON.stringify(Object.fromEntries(named))}\n`;
}
