/** What the phases of a run of tables hand to each other. */
import type { TableFile } from '../../../src/downloads/listing.ts';
import type { CellCounts, Misshapen, UnreadableRow } from '../../../src/downloads/table-task.ts';
import type { MirroredTable, TableRegister } from '../../../src/layers/register.ts';
import type { RegisterTable } from '../../../src/layers/register-tables.ts';
import type { FeatureTableSource, TableSource } from '../../../src/layers/source.ts';
import type { RunArchive } from '../../archive.ts';
import type { ClaimedRun, Replay, Replayed, ReplayedFile } from '../../deps.ts';

/** What a table of the store was read from (`beside.sources`). */
export interface KnownSource {
  readonly version: string;
  readonly totalGeneration: number;
  /** Of the bytes received. */
  readonly totalMd5: string;
  /** The newest delta in it; the total's own where there was none. */
  readonly generation: number;
  /** When the newest file in it was made, milliseconds UTC; null or absent: the listing did not say. */
  readonly madeAtMs?: number | null;
  /** When a row read starts or stops being true by itself, milliseconds UTC; null: never. */
  readonly nextChangeMs: number | null;
  /** The columns the total had. */
  readonly columns: readonly string[];
  /** Of the four times those it has not, and somebody took it for all the same; absent: none. */
  readonly withoutTimes?: readonly string[];
}

export type KnownSources = ReadonlyMap<string, KnownSource>;

/** What is to be read of one table, in this order. Nothing: the copy is up to date. */
export interface TablePlan {
  readonly table: RegisterTable;
  readonly entity: string;
  readonly source: TableSource | FeatureTableSource;
  readonly guards: MirroredTable['guards'];
  readonly known: KnownSource | null;
  readonly total: TableFile | null;
  readonly deltas: readonly TableFile[];
  /** Read to be folded with the register's other tables: its own rows are not kept. */
  readonly isFolded: boolean;
}

/** A table of a run, next to the one in service: whole, or the rows that change. */
export interface StagedTable {
  readonly plan: TablePlan;
  /** Names in the store. `former` and `closed` are there where the run found such rows. */
  readonly next: string;
  readonly former: string;
  readonly closed: string;
  /** Keys of rows that have ended or are to come, where the table keeps them. */
  readonly others: string;
  /** What a total would replace; there once a table in service was compared with it. */
  readonly undo: string;
  readonly read: TableReading;
}

/** What was counted while the files of one table were read. */
export interface TableReading {
  received: number;
  current: number;
  former: number;
  closed: number;
  future: number;
  past: number;
  unreadable: number;
  /** Ids of the unreadable rows, as far as they are known and kept. */
  readonly unreadableIds: string[];
  /** Of those the first; the rest are known by their number alone. */
  readonly unread: UnreadableRow[];
  outside: number;
  /** Of rows that were folded: references to rows that were not there. */
  unresolved: number;
  /** Distinct totals that pages of a WFS announced. */
  announced: number[];
  /** MD5 of the total as received. */
  md5: string | null;
  nextChangeMs: number | null;
  columns: readonly string[];
  missing: readonly string[];
  /** Rows with another number of cells than the head of their file; null: none. */
  misshapen: Misshapen | null;
  /** By column: cells with something in them, and how many of those hold no such value. */
  readonly cells: Record<string, CellCounts>;
}

/** What publishing a staged table would do to the copy. */
export interface TableDifference {
  /** Rows of the copy before. */
  readonly before: number;
  readonly after: number;
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
  /** Rows of the copy of which a new one came and could not be read. */
  readonly lost: number;
  /** Columns of which most values came unreadable, where a row of the copy would lose the one it has. */
  readonly emptied: readonly string[];
}

/** A run of a register of tables. */
export interface TableRun extends Omit<ClaimedRun, 'enter'> {
  readonly register: TableRegister;
  /** Keeps the files as they came; absent: nothing is kept. */
  readonly archive?: RunArchive | undefined;
  /** null: the register is read. */
  readonly replay: TableReplay | null;
}

export type TableReplay = Replay<Extract<Replayed, { way: 'tables' }>>;

/** One file of it. */
export type ReplayedTable = ReplayedFile<TableSource['format']>;
