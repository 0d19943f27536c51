/**
 * Reads the only visible sheet with rows, or a named one. Cells are as shown; numbers and booleans
 * keep their type.
 */
import { JOB_LIMITS } from '../limits.ts';
import { hasValue } from '../../core/rows/cells.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { columnsOf, tooManyCells } from '../intake/csv-head.ts';
import { HEAD_SAMPLE_ROWS, headOf } from '../intake/head-row.ts';
import { charsOf, valueTooLong } from '../intake/refusals.ts';
import type { WorkbookArchive } from './archive.ts';
import { readParts } from './parts.ts';
import type { SheetPart, WorkbookParts } from './parts.ts';
import { merged, noRowsAnywhere, noSuchSheet, severalSheets } from './refusals.ts';
import { sheetRows } from './sheet.ts';
import type { MergedCells, SheetRow } from './sheet.ts';

export interface WorkbookRows {
  readonly columns: readonly string[];
  readonly rows: readonly Cell[][];
  readonly headRow: number;
  /** The same if guessed below titles, else null. */
  readonly guessedHead: number | null;
  readonly numbers: readonly number[];
}

export interface SheetQuestion {
  /** null: the only one with rows. */
  readonly sheet: string | null;
  /** The row of column names; null: guessed. */
  readonly headRow: number | null;
}

/** Yields at least once, for the columns. Throws with the row or cell. */
export async function* rowsOfWorkbook(
  from: WorkbookArchive,
  { sheet, headRow }: SheetQuestion,
): AsyncGenerator<WorkbookRows, void, undefined> {
  const parts = await readParts(from);
  const { path } = await chosen(from, parts, sheet);
  let lowest: MergedCells | null = null;
  const onMerged = (cells: MergedCells) => {
    if (lowest === null || cells.lastRow > lowest.lastRow) lowest = cells;
  };
  const reader = new HeadedRows(headRow);
  for await (const rows of sheetRows(from, parts, { path, onMerged })) {
    const found = reader.add(rows);
    if (found !== null) yield found;
  }
  const rest = reader.end();
  refuseMerged(lowest, reader.headRow);
  if (rest !== null) yield rest;
}

/** Only titles may be merged. */
function refuseMerged(lowest: MergedCells | null, headRow: number): void {
  if (lowest !== null && lowest.lastRow >= headRow) throw merged(lowest.cells);
}

/** The head is known after some rows. */
class HeadedRows {
  readonly #asked: number | null;
  #held: SheetRow[] = [];
  #columns: readonly string[] | null = null;
  #count = 0;
  #guessedHead: number | null = null;
  headRow = Infinity;

  constructor(asked: number | null) {
    this.#asked = asked;
  }

  /** null: the head is not known yet. */
  add(rows: readonly SheetRow[]): WorkbookRows | null {
    if (this.#columns !== null) return this.#under(this.#columns, rows);
    this.#held.push(...rows);
    const isEnough =
      this.#asked === null
        ? this.#held.length >= HEAD_SAMPLE_ROWS
        : (this.#held.at(-1)?.number ?? 0) >= this.#asked;
    return isEnough ? this.#begin() : null;
  }

  /** null: nothing is left. */
  end(): WorkbookRows | null {
    return this.#columns === null && this.#held.length > 0 ? this.#begin() : null;
  }

  #begin(): WorkbookRows {
    const head = headOf(this.#held, this.#asked);
    const columns = columnsOf(Array.from(head.cells, nameOf));
    this.#columns = columns;
    this.headRow = head.number;
    if (this.#asked === null && head !== this.#held[0]) this.#guessedHead = head.number;
    const rows = this.#held.slice(this.#held.indexOf(head) + 1);
    this.#held = [];
    return this.#under(columns, rows);
  }

  #under(columns: readonly string[], rows: readonly SheetRow[]): WorkbookRows {
    const first = this.#count + 1;
    this.#count += rows.length;
    return {
      columns,
      rows: rows.map(({ cells }, i) => cellsOf(cells, columns, first + i)),
      headRow: this.headRow,
      guessedHead: this.#guessedHead,
      numbers: rows.map(({ number }) => number),
    };
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

async function hasRows(
  from: WorkbookArchive,
  parts: WorkbookParts,
  { path }: SheetPart,
): Promise<boolean> {
  for await (const _ of sheetRows(from, parts, { path })) return true;
  return false;
}

function nameOf(cell: Cell): string {
  return hasValue(cell) ? String(cell).trim() : '';
}

function cellsOf(row: readonly Cell[], columns: readonly string[], number: number): Cell[] {
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
