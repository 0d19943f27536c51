/** sync/mirrors/tables derives all statements from these; a migration creates the tables. */

import { uuidOf } from '../kernel/uuids.ts';
import type { StandingColumn } from './standing-columns.ts';

export type ColumnKind =
  | 'uuid'
  | 'text'
  /** A name that rows refer to: letters, digits, dashes and underscores, a digit among them. */
  | 'id'
  /** By its digit or its word, of those in `standing`. */
  | 'status'
  | 'bigint'
  /** Four bytes: areas and years. Negative in rows of building cases. */
  | 'integer'
  | 'decimal'
  /** A Danish calendar day, written as its midnight in UTC (D56). */
  | 'date'
  /** An instant or day, as written. */
  | 'time'
  /** WKT, EPSG:25832. */
  | 'point'
  /** WKT of one polygon or several, EPSG:25832. */
  | 'surface'
  /** WKT of points, lines or areas, EPSG:25832. */
  | 'geometry'
  /** House number, floor, door: no leading zeros, letters as in section 3.3. */
  | 'upper-number'
  | 'lower-number'
  /** Four leading digits of a code, or of a road within a municipality (`KKKK-VVVV`). */
  | 'code';

const IS_NUMBER = /^\d{1,18}$/;

/** As its column has it: statements compare it with stored ids; null: none. */
export function idOfKind(kind: ColumnKind | undefined, text: string | null | undefined) {
  const id = text?.trim() ?? '';
  if (kind === 'uuid') return uuidOf(id);
  if (kind === 'text') return id === '' ? null : id;
  if (kind === 'code') return /^\d{4}$/.test(id) ? id : null;
  return IS_NUMBER.test(id) ? id : null;
}

/** Values of any length. */
export const SHAPES: ReadonlySet<ColumnKind> = new Set(['geometry', 'surface', 'point']);

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The preferred first: lower case, ae oe aa, letters and digits only. */
  readonly from: readonly string[];
  /** The names are prefixes: `byg026` of `byg026Opførelsesår`. */
  readonly isPrefix?: true;
  /** A row with an empty value counts as unreadable. */
  readonly required?: true;
  /** Kept for an empty cell of a whole number, never for an unreadable one. */
  readonly empty?: number;
  /** Another code or word makes the row unreadable. */
  readonly standing?: StandingColumn;
  /** A filled value that cannot be read makes the row unreadable. */
  readonly decides?: true;
  /** A file without this column is rejected, although rows may leave it empty. */
  readonly expected?: true;
}

export interface TableIndex {
  readonly suffix: string;
  /** The rest of `create index … on <table>`, as in its migration. */
  readonly on: string;
}

/** In the one history table, by a single-column key. */
export interface FormerColumns {
  readonly kind: string;
  readonly columns: readonly string[];
}

/**
 * Whole rows in their own history table: the table's columns and `valid_to`, keyed by the key and
 * `valid_from` (D85, D86). At an instant the valid row is the current one if it began by then, else
 * the history row that covers it.
 */
export interface FormerTable {
  readonly table: string;
}

export interface RegisterTable {
  readonly entity: string;
  readonly register: string;
  /** Has these columns, then `registered_from` and `valid_from`, of each key's current row. */
  readonly table: string;
  /** All columns are required. */
  readonly key: readonly string[];
  readonly columns: readonly TableColumn[];
  /** null: no history is kept. */
  readonly former: FormerColumns | FormerTable | null;
  readonly indexes: readonly TableIndex[];
  /**
   * A column, not in the files, with the day a row ended, for a fold that uses the last known one;
   * empty in current rows. Absent: only current rows are kept.
   */
  readonly ended?: string;
  /**
   * For a folded table: keys of ended or future rows are kept too, so that a reference to one is
   * not dangling. Closed registrations do not count: their successor may be lost.
   */
  readonly keepsOthers?: true;
  /** A missing listing leaves the copy as it is. */
  readonly isOptional?: true;
}

export interface Reference {
  readonly from: string;
  readonly column: string;
  readonly to: string;
  readonly key: string;
}

/**
 * Rows of several tables into one row per key while reading; only these are kept, compared and
 * published.
 */
export interface Fold {
  /** Its entity is only a name for messages and history. */
  readonly into: RegisterTable;
  /** Absent: all entities. */
  readonly needs?: readonly string[];
  /**
   * For its columns and the two times, from the tables' temporary names; keys that a table keeps of
   * other rows are in its name plus `_others`.
   */
  readonly query: (name: (table: string) => string, isRead: (table: string) => boolean) => string;
  /** For one column, `note`: observations for the record of the run, without row values. */
  readonly notes?: (name: (table: string) => string) => string;
  /**
   * The entity with references to the others, and the column of `into` that counts dangling ones.
   */
  readonly naming: string;
  readonly unresolved: string;
  readonly message: string;
}

export interface RegisterSchema {
  readonly tables: readonly RegisterTable[];
  /** Absent: the tables are kept as read. */
  readonly fold?: Fold;
  readonly references: {
    readonly of: readonly Reference[];
    readonly inForce: readonly number[];
    /** Its guards and its message apply to all tables. */
    readonly guardedBy: string;
    readonly message: string;
  } | null;
  /** Its rows name persons: no row key is recorded (D117). */
  readonly isPersonal?: true;
  readonly counted: readonly string[];
  /**
   * The column with each row's owner, where alone an unreadable row is missed; absent:
   * sync/mirrors/tables/unread-objects.ts finds it.
   */
  readonly owner?: string;
  /**
   * File of each table, history of versions, and history columns (null: none). Columns as in
   * sql/migrations 0010 and 0015.
   */
  readonly beside: {
    readonly sources: string;
    readonly history: string;
    readonly former: string | null;
  };
}

export function keptTables({ tables, fold }: RegisterSchema): readonly RegisterTable[] {
  return fold === undefined ? tables : [fold.into];
}

export function storeTables(schema: RegisterSchema): readonly string[] {
  const tables = keptTables(schema);
  const { former } = schema.beside;
  const pasts = tables.map(ownFormer).filter((name) => name !== null);
  return [...tables.map(({ table }) => table), ...pasts, ...(former === null ? [] : [former])];
}

export function ownFormer({ former }: RegisterTable): string | null {
  return former !== null && 'table' in former ? former.table : null;
}

/** In the form of a register table, without `valid_to`; null: none. */
export function formerTable(table: RegisterTable): RegisterTable | null {
  const own = ownFormer(table);
  if (own === null) return null;
  const { entity, key } = table;
  return { ...table, entity: `${entity} former`, table: own, key: [...key, 'valid_from'] };
}
