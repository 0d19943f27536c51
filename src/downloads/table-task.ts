import type { Bounds } from '../geo/bounds.ts';
import type { RegisterTable } from '../layers/register-tables.ts';
import type { PageRows } from '../wfs/whole.ts';
import type { CsvHead } from './csv-rows.ts';

export interface ParseTableTask {
  readonly table: RegisterTable;
  /** null: the bytes are a JSON array of rows. */
  readonly head: CsvHead | null;
  /** The bytes are a page of features in the order of this attribute. */
  readonly sortedBy?: string;
  readonly members: number;
  /** CSV: line number of the first byte, from 1. */
  readonly firstLine?: number;
  readonly nowMs: number;
  /** Transferred: unreadable for the sender afterwards. */
  readonly bytes: Uint8Array;
}

/** Binary PostgreSQL arrays, in the order of `columnsOf`. */
export interface RowColumns {
  readonly rows: number;
  readonly arrays: readonly Uint8Array<ArrayBuffer>[];
}

export interface CellCounts {
  readonly filled: number;
  readonly unreadable: number;
}

/** CSV rows with another number of cells than the header: the file is truncated or malformed. */
export interface Misshapen {
  readonly rows: number;
  /** The first one's line in the file, from 1, its cells, and the header's names. */
  readonly line: number;
  readonly cells: number;
  readonly columns: number;
}

export interface UnreadableRow {
  readonly key: string | null;
  readonly reason: string;
  /** By column, as received; null: too many to keep. */
  readonly cells: Readonly<Record<string, string>> | null;
  /** EPSG:25832, metres: contains the readable part of its geometry; null: none. */
  readonly box: Bounds | null;
}

export interface ParsedTable {
  readonly members: number;
  /** Registration open, effect covers now. */
  readonly current: RowColumns;
  /** Registration open, effect past. Empty for tables without history. */
  readonly former: RowColumns;
  /** Registration closed: the key and the identity of the row. */
  readonly closed: RowColumns;
  /** Keys of rows with past or future effect, if the table keeps them (`keepsOthers`). */
  readonly others: RowColumns;
  /** Rows of a future effect. They hide nothing. */
  readonly future: number;
  /** Past rows of a table without history. */
  readonly past: number;
  readonly unreadable: readonly UnreadableRow[];
  /** Points outside Denmark: stored without position. */
  readonly outside: number;
  /** When the first row begins or ends by itself; null: never. */
  readonly nextChangeMs: number | null;
  readonly inOrder: PageRows | null;
  readonly columns: readonly string[];
  readonly missing: readonly string[];
  readonly misshapen: Misshapen | null;
  /** By table column: cells with content, and how many of those are invalid. */
  readonly cells: Readonly<Record<string, CellCounts>>;
}
