/** What a thread is given of a table of a register, and what it makes of it: types only. */
import type { Bounds } from '../geo/bounds.ts';
import type { RegisterTable } from '../layers/register-tables.ts';
import type { CsvHead } from './csv-rows.ts';

export interface ParseTableTask {
  readonly table: RegisterTable;
  /** null: the bytes are a JSON array of rows. */
  readonly head: CsvHead | null;
  /** The bytes are a page of features in GeoJSON. */
  readonly isFeatures?: boolean;
  /** Rows counted while the bytes were cut. */
  readonly members: number;
  /** Of CSV: the line of the file that the bytes begin with, from 1. */
  readonly firstLine?: number;
  readonly nowMs: number;
  /** Handed over: unreadable for the sender afterwards. */
  readonly bytes: Uint8Array;
}

/** Rows as columns: arrays of PostgreSQL in binary, in the order of `columnsOf`. */
export interface RowColumns {
  readonly rows: number;
  readonly arrays: readonly Uint8Array<ArrayBuffer>[];
}

export interface CellCounts {
  readonly filled: number;
  readonly unreadable: number;
}

/** Rows of a CSV that have another number of cells than its head: the file was cut, or put together wrongly. */
export interface Misshapen {
  readonly rows: number;
  /** Of the first: its line in the file, from 1, its cells, and the names of the head. */
  readonly line: number;
  readonly cells: number;
  readonly columns: number;
}

/** A row that cannot be kept. */
export interface UnreadableRow {
  readonly key: string | null;
  readonly reason: string;
  /** Its values as they came, by column; null where so many came that they are not kept. */
  readonly cells: Readonly<Record<string, string>> | null;
  /** EPSG:25832, metres: what of its geometry can be read lies in it; null: there is none, or nothing can be. */
  readonly box: Bounds | null;
}

export interface ParsedTable {
  readonly members: number;
  /** True now: registration open, effect covers now. */
  readonly current: RowColumns;
  /** Registration open, effect in the past. Empty for tables whose past is not kept. */
  readonly former: RowColumns;
  /** Registration closed: the key, and which of its rows is no more. */
  readonly closed: RowColumns;
  /** Keys of the rows of a past or future effect, of a table that keeps them (`keepsOthers`). */
  readonly others: RowColumns;
  /** Rows of a future effect. They hide nothing. */
  readonly future: number;
  /** Rows of the past of a table whose past is not kept. */
  readonly past: number;
  readonly unreadable: readonly UnreadableRow[];
  /** Points that lie outside Denmark: kept without their place. */
  readonly outside: number;
  /** When the first row starts or stops being true by itself, milliseconds UTC; null: none does. */
  readonly nextChangeMs: number | null;
  /** Names of the columns as they came; empty where there was no row to tell. */
  readonly columns: readonly string[];
  /** Columns of the table the file has not, though it must. */
  readonly missing: readonly string[];
  /** null: every row has a cell for each name. */
  readonly misshapen: Misshapen | null;
  /** By column of the table: cells with something in them, and how many of those hold no such value. */
  readonly cells: Readonly<Record<string, CellCounts>>;
}
