/**
 * The tables of a register, as data: which entity of its files fills which table of the store, by which
 * key, under which names its columns come, and what refers to what. sync/mirrors/tables makes every
 * statement of them; a migration makes the tables.
 */

/** How a value is written in the file and kept in the store. */
export type ColumnKind =
  | 'uuid'
  | 'text'
  /** A name that rows refer to: letters, digits, dashes and low lines, a digit among them. */
  | 'id'
  /** A status by its digit or its word. */
  | 'status'
  | 'bigint'
  /** A whole number of four bytes: areas and years. Less than 0 in rows of building cases. */
  | 'integer'
  | 'decimal'
  /** A day of the Danish calendar, written as its midnight in UTC (D56). */
  | 'date'
  /** WKT of a point, EPSG:25832. */
  | 'point'
  /** WKT of a polygon or of several, EPSG:25832. */
  | 'surface'
  /** WKT of points, lines or areas, EPSG:25832. */
  | 'geometry'
  /** House number, floor, door: no leading zeros, letters in the case of section 3.3. */
  | 'upper-number'
  | 'lower-number'
  /** Four digits at the beginning: of a code, or of a road within a municipality (`KKKK-VVVV`). */
  | 'code';

export interface TableColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Names it comes under, the preferred first: lower case, ae oe aa, letters and digits only. */
  readonly from: readonly string[];
  /** The names are only what it begins with: `byg026` of `byg026Opførelsesår`. */
  readonly isPrefix?: true;
  /** Empty values cannot be kept: such a row counts as unreadable. */
  readonly required?: true;
  /** What an empty cell of a whole number is kept as; one that cannot be read is none of it. */
  readonly empty?: number;
  /** A file without this column is not the table at all, though its rows may leave it empty. */
  readonly expected?: true;
}

export interface TableIndex {
  /** The index is the table's name with this behind it. */
  readonly suffix: string;
  /** What follows `create index … on <table>`, as its migration says it. */
  readonly on: string;
}

/** Some columns, under a kind, in the register's one table of the past. Of one key column only. */
export interface FormerColumns {
  readonly kind: string;
  readonly columns: readonly string[];
}

/**
 * Whole rows in a table of their own: the columns of the table, then `valid_to`; told apart by the key
 * and `valid_from`. A later registration takes the place of an earlier one (D85, D86). What was true at
 * an instant is the row of the table itself if that began by then, else the one here that it lies in.
 */
export interface FormerTable {
  readonly table: string;
}

export interface RegisterTable {
  readonly entity: string;
  /** Under which name its files are listed. */
  readonly register: string;
  /**
   * Table of the store: these columns, then `registered_from` and `valid_from`, of the one row of a key
   * that is true now.
   */
  readonly table: string;
  /** Columns that tell its rows apart; all of them required. */
  readonly key: readonly string[];
  readonly columns: readonly TableColumn[];
  /** What is kept of its rows of the past; null: nothing. */
  readonly former: FormerColumns | FormerTable | null;
  /** Those beside the key. */
  readonly indexes: readonly TableIndex[];
  /**
   * Its column, of no name in the files, that is given the day a row was over and is empty in rows that are
   * true now: what is over is read too, for what is folded tells of the last that was known. Absent: only
   * rows that are true now are kept.
   */
  readonly ended?: string;
  /**
   * Of a table that is folded: the keys of its rows that have ended or are to come are kept beside it. What refers
   * to one of those is not a reference to nothing. A closed registration tells nothing: its successor may be lost.
   */
  readonly keepsOthers?: true;
  /** The register answers without it too: a listing that cannot be had leaves the copy as it is. */
  readonly isOptional?: true;
}

/** Rows of the table `from` whose `column` names a row of the table `to` by its `key`. */
export interface Reference {
  readonly from: string;
  readonly column: string;
  readonly to: string;
  readonly key: string;
}

/**
 * Rows of several tables made one row a key while they are read. Only those are kept, compared and
 * published: the tables' own rows lie beside the copy until then, without a key.
 */
export interface Fold {
  /** The table that is kept. Its entity is no file's: a name for messages and for the way back. */
  readonly into: RegisterTable;
  /** Entities that nothing can be told without; absent: all of them. The others may be left out. */
  readonly needs?: readonly string[];
  /**
   * A query that gives its columns, then the two times, from the tables under the names they have then; of a
   * table that keeps others, their keys are in the table of its name with `_others` behind it.
   */
  readonly query: (name: (table: string) => string, isRead: (table: string) => boolean) => string;
  /** A query for one column, `note`: what was met in the tables, for the record of the run. No value of a row. */
  readonly notes?: (name: (table: string) => string) => string;
  /** The entity whose rows name rows of the others, and the column of `into` that counts those that are not there. */
  readonly naming: string;
  readonly unresolved: string;
  /** What is said where too many are not. */
  readonly message: string;
}

export interface RegisterSchema {
  /** In the order they are read and published: what is referred to before what refers. */
  readonly tables: readonly RegisterTable[];
  /** Absent: the tables are kept as they are read. */
  readonly fold?: Fold;
  readonly references: {
    readonly of: readonly Reference[];
    /** `status` of rows in force: the others may refer to what is gone. */
    readonly inForce: readonly number[];
    /** The entity whose guards hold for all of them, and what a refusal says. */
    readonly guardedBy: string;
    readonly message: string;
  } | null;
  /** Its rows are of persons, too: no key of a row is on record (D117). */
  readonly isPersonal?: true;
  /** Tables whose rows are counted as the register's. */
  readonly counted: readonly string[];
  /**
   * Tables that are kept beside: which file each was read from, the steps back, and the one table of
   * rows of the past (null: no table keeps columns there). Of the columns that sql/migrations 0010 and
   * 0015 give those of the addresses.
   */
  readonly beside: {
    readonly sources: string;
    readonly history: string;
    readonly former: string | null;
  };
}

/** The tables whose rows are kept in the store: those that are read, or the one they are folded into. */
export function keptTables({ tables, fold }: RegisterSchema): readonly RegisterTable[] {
  return fold === undefined ? tables : [fold.into];
}

/** Every table of the store that rows of the register are in. */
export function storeTables(schema: RegisterSchema): readonly string[] {
  const tables = keptTables(schema);
  const { former } = schema.beside;
  const pasts = tables.map(ownFormer).filter((name) => name !== null);
  return [...tables.map(({ table }) => table), ...pasts, ...(former === null ? [] : [former])];
}

/** The table of its own that whole rows of the past are kept in; null: there is none. */
export function ownFormer({ former }: RegisterTable): string | null {
  return former !== null && 'table' in former ? former.table : null;
}

/** That table as one of the register's, but for `valid_to`; null: there is none. */
export function formerTable(table: RegisterTable): RegisterTable | null {
  const own = ownFormer(table);
  if (own === null) return null;
  const { entity, key } = table;
  return { ...table, entity: `${entity} former`, table: own, key: [...key, 'valid_from'] };
}
