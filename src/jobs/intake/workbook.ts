/**
 * Rows of a workbook (.xlsx): the one sheet that is shown and has any, or the one that is named. Its first
 * row names the columns; what a cell shows is what is taken in, numbers and truth values as such.
 */
import { encodeRows } from '../chunk-rows.ts';
import type { Cell } from '../chunk-rows.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { WorkbookPackage } from '../workbook/package.ts';
import { readParts } from '../workbook/parts.ts';
import type { SheetPart, WorkbookParts } from '../workbook/parts.ts';
import { noRowsAnywhere, noSuchSheet, severalSheets } from '../workbook/refusals.ts';
import { hasValue, sheetRows } from '../workbook/sheet.ts';
import type { SheetRow } from '../workbook/sheet.ts';
import { columnsOf, tooManyCells } from './csv.ts';
import { charsOf, tooManyRows, valueTooLong } from './rows-reader.ts';
import type { ReadChunk, ReadRows } from './rows-reader.ts';

export interface WorkbookOptions {
  /** null: the only one with rows. */
  readonly sheet: string | null;
  readonly unpackedBytes: number;
}

export interface WorkbookRows {
  readonly columns: readonly string[];
  /** As many cells each as there are columns. */
  readonly rows: readonly Cell[][];
}

/** All of a body. Throws a Failure naming the row or the cell. */
export async function readWorkbook(bytes: Buffer, sheet: string | null): Promise<ReadRows> {
  const { body: unpackedBytes } = LIMITS.jobs.workbook.unpackedBytes;
  const chunks: ReadChunk[] = [];
  let columns: readonly string[] = [];
  let open: Cell[][] = [];
  let count = 0;
  const endChunk = () => {
    if (open.length > 0) chunks.push({ input: encodeRows(open), rows: open.length });
    open = [];
  };
  for await (const some of workbookRows(bytes, { sheet, unpackedBytes })) {
    ({ columns } = some);
    count += some.rows.length;
    if (count > LIMITS.jobs.rowsPerJob) throw tooManyRows();
    for (const row of some.rows) {
      open.push(row);
      if (open.length === LIMITS.jobs.chunkRows) endChunk();
    }
  }
  endChunk();
  return { columns, chunks, rows: count };
}

/** Of its bytes, or of the file at a path: its rows some at a time; at least once, for the columns. */
export async function* workbookRows(
  source: Buffer | string,
  { sheet, unpackedBytes }: WorkbookOptions,
): AsyncGenerator<WorkbookRows, void, undefined> {
  using from = await WorkbookPackage.open(source, { unpackedBytes });
  const parts = await readParts(from);
  const { path } = await chosen(from, parts, sheet);
  let columns: readonly string[] | null = null;
  let count = 0;
  for await (const rows of sheetRows(from, parts, path)) {
    let data = rows;
    if (columns === null) {
      const [head = [], ...rest] = rows;
      columns = columnsOf(Array.from(head, nameOf));
      data = rest;
    }
    const names = columns;
    const first = count + 1;
    count += data.length;
    yield { columns, rows: data.map((row, i) => cellsOf(row, names, first + i)) };
  }
}

async function chosen(
  from: WorkbookPackage,
  parts: WorkbookParts,
  name: string | null,
): Promise<SheetPart> {
  const { sheets } = parts;
  if (name !== null) {
    const named = sheets.find((sheet) => sheet.name === name);
    if (named !== undefined) return named;
    throw noSuchSheet(sheets.map((sheet) => sheet.name));
  }
  const filled: SheetPart[] = [];
  for (const sheet of sheets) {
    if (!sheet.isHidden && (await hasRows(from, parts, sheet))) filled.push(sheet);
  }
  const [only, another] = filled;
  if (only === undefined) throw noRowsAnywhere();
  if (another !== undefined) throw severalSheets(filled.map((sheet) => sheet.name));
  return only;
}

/** Reads no further than to the first. */
async function hasRows(
  from: WorkbookPackage,
  parts: WorkbookParts,
  { path }: SheetPart,
): Promise<boolean> {
  for await (const _ of sheetRows(from, parts, path)) return true;
  return false;
}

function nameOf(cell: Cell): string {
  return hasValue(cell) ? String(cell).trim() : '';
}

function cellsOf(row: SheetRow, columns: readonly string[], number: number): Cell[] {
  if (row.length > columns.length && row.slice(columns.length).some(hasValue)) {
    throw tooManyCells(number);
  }
  const { valueChars } = LIMITS.jobs;
  return columns.map((name, i) => {
    const cell = row[i] ?? null;
    if (typeof cell !== 'string') return cell;
    if (cell.length > valueChars && charsOf(cell) > valueChars) throw valueTooLong(number, name);
    // PostgreSQL takes no NUL, and half a pair is no character.
    return cell.replaceAll('\0', '\ufffd').toWellFormed();
  });
}
