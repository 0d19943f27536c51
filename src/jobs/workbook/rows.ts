/**
 * Rows of a workbook (.xlsx): of the only visible sheet with rows, or of a named one. The first row
 * names the columns. Cells are taken as shown; numbers and booleans keep their type. Runs in
 * browsers too.
 */
import { JOB_LIMITS } from '../limits.ts';
import type { Cell } from '../cells.ts';
import { columnsOf, tooManyCells } from '../intake/csv-head.ts';
import { charsOf, valueTooLong } from '../intake/refusals.ts';
import type { WorkbookArchive } from './archive.ts';
import { readParts } from './parts.ts';
import type { SheetPart, WorkbookParts } from './parts.ts';
import { noRowsAnywhere, noSuchSheet, severalSheets } from './refusals.ts';
import { hasValue, sheetRows } from './sheet.ts';
import type { SheetRow } from './sheet.ts';

export interface WorkbookRows {
  readonly columns: readonly string[];
  /** One cell per column. */
  readonly rows: readonly Cell[][];
}

/**
 * Some rows at a time; yields at least once, for the columns. `sheet` null: the only one with rows.
 * Throws a Failure naming the row or cell.
 */
export async function* rowsOfWorkbook(
  from: WorkbookArchive,
  sheet: string | null,
): AsyncGenerator<WorkbookRows, void, undefined> {
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
  from: WorkbookArchive,
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

/** Reads only to the first row. */
async function hasRows(
  from: WorkbookArchive,
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
  const { valueChars } = JOB_LIMITS;
  return columns.map((name, i) => {
    const cell = row[i] ?? null;
    if (typeof cell !== 'string') return cell;
    if (cell.length > valueChars && charsOf(cell) > valueChars) throw valueTooLong(number, name);
    // PostgreSQL rejects NUL, and lone surrogates are no characters.
    return cell.replaceAll('\0', '\ufffd').toWellFormed();
  });
}
