import type { TableFile } from '../../../src/downloads/listing.ts';
import type { CellCounts, Misshapen, UnreadableRow } from '../../../src/downloads/table-task.ts';
import type { MirroredTable, TableRegister } from '../../../src/layers/register.ts';
import type { RegisterTable } from '../../../src/layers/register-tables.ts';
import type { FeatureTableSource, TableSource } from '../../../src/layers/source.ts';
import type { RunArchive } from '../../archive.ts';
import type { ClaimedRun, Replay, Replayed, ReplayedFile } from '../../deps.ts';
import type { Difference } from '../features/diff.ts';

/** Of a stored table (`beside.sources`). */
export interface KnownSource {
  readonly version: string;
  readonly totalGeneration: number;
  readonly totalMd5: string;
  /** Its newest delta; the total's own without any. */
  readonly generation: number;
  /** Of its newest file; null or absent: not in the listing. */
  readonly madeAtMs?: number | null;
  /** When a row read begins or ends by itself; null: never. */
  readonly nextChangeMs: number | null;
  readonly columns: readonly string[];
  /** Missing time columns that were accepted; absent: none. */
  readonly withoutTimes?: readonly string[];
}

export type KnownSources = ReadonlyMap<string, KnownSource>;

/** What to read of one table, in this order. Empty: the copy is up to date. */
export interface TablePlan {
  readonly table: RegisterTable;
  readonly entity: string;
  readonly source: TableSource | FeatureTableSource;
  readonly guards: MirroredTable['guards'];
  readonly known: KnownSource | null;
  readonly total: TableFile | null;
  readonly deltas: readonly TableFile[];
  readonly isFolded: boolean;
}

export interface StagedTable {
  readonly plan: TablePlan;
  /** Names in the store. `former` and `closed` exist where the run found such rows. */
  readonly next: string;
  readonly former: string;
  readonly closed: string;
  /** Keys of ended or future rows, where the table keeps them. */
  readonly others: string;
  /** What a total would replace; exists after the comparison. */
  readonly undo: string;
  readonly read: TableReading;
}

export interface TableReading {
  received: number;
  current: number;
  former: number;
  closed: number;
  future: number;
  past: number;
  unreadable: number;
  readonly unreadableIds: string[];
  /** The first of those; the rest are only counted. */
  readonly unread: UnreadableRow[];
  outside: number;
  unresolved: number;
  announced: number[];
  md5: string | null;
  nextChangeMs: number | null;
  columns: readonly string[];
  missing: readonly string[];
  /** Rows with another number of cells than the header; null: none. */
  misshapen: Misshapen | null;
  /** By column: cells with content, and how many of those are invalid. */
  readonly cells: Record<string, CellCounts>;
}

export interface TableDifference extends Difference {
  readonly before: number;
  readonly after: number;
  readonly lost: number;
  readonly emptied: readonly string[];
}

export interface TableRun extends Omit<ClaimedRun, 'enter'> {
  readonly register: TableRegister;
  readonly archive?: RunArchive | undefined;
  readonly replay: TableReplay | null;
}

export type TableReplay = Replay<Extract<Replayed, { way: 'tables' }>>;

export type ReplayedTable = ReplayedFile<TableSource['format']>;
