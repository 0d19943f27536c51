import type { Asker } from '../../kernel/deadline.ts';
import type { ParseTableTask, ParsedTable } from '../../downloads/table-task.ts';
import type { ParseDownloadTask } from '../../downloads/parse.ts';
import type { BuildSnapshotTask, BuiltSnapshot } from '../../snapshot/build-task.ts';
import type { TileSurvey } from '../../snapshot/tiles/cut.ts';
import type { CutTile, CutTileTask, SurveyTilesTask } from '../../snapshot/tiles/tile-task.ts';
import type { ParsedPage, ParsePageTask } from '../../wfs/page.ts';
import type { JobChunk, JobChunkTask } from '../rows/chunk-types.ts';
import type { SessionBatch } from './protocol.ts';
import type { StreamTask } from './stream-task.ts';
import type { BatchTask, ThreadTask } from './thread-task.ts';

export interface Workers {
  /**
   * Takes ownership of the bytes. Throws UpstreamFailure `unreadable` when the page as a whole
   * cannot be read, Failure `overloaded` when the queue is full.
   */
  parsePage(task: ParsePageTask, signal?: AbortSignal): Promise<ParsedPage>;
  /** A downloaded table, or a part. As `parsePage`. */
  parseDownload(task: ParseDownloadTask, signal?: AbortSignal): Promise<ParsedPage>;
  /** A piece of a register table. As `parsePage`. */
  parseTable(task: ParseTableTask, signal?: AbortSignal): Promise<ParsedTable>;
  /** Builds in shared memory, from the rows sent through the task's port. */
  buildSnapshot(task: BuildSnapshotTask, signal?: AbortSignal): Promise<BuiltSnapshot>;
  /** Runs in the threads that parse and build. Throws as `parsePage`. */
  run<T, R>(of: ThreadTask<T, R>, task: T, signal?: AbortSignal): Promise<R>;
  /**
   * Runs in threads that do nothing else. Throws the failure of `full` when too many wait,
   * UpstreamFailure `aborted` at once when given up: the thread finds out by itself and stays.
   */
  batches<T extends SessionBatch, R>(of: BatchTask<T, R>): (batch: T, asker?: Asker) => Promise<R>;
  /** Runs in threads that do nothing else. Transfers the input. */
  jobChunk(task: JobChunkTask, signal?: AbortSignal): Promise<JobChunk>;
  /** Runs in a dedicated thread; resolves when the stream is sent or given up. */
  stream(task: StreamTask): Promise<void>;
  /** Runs in dedicated threads. Throws Failure `overloaded` when too many wait. */
  cutTile(task: CutTileTask): Promise<CutTile>;
  surveyTiles(task: SurveyTilesTask): Promise<TileSurvey>;
  view(): PoolView & { readonly batches: PoolView; readonly tasks: TaskView };
  close(): Promise<void>;
}

export interface PoolView {
  readonly threads: number;
  readonly queued: number;
}

export interface TaskView {
  readonly hung: number;
  /** Age of the oldest; 0: none runs. */
  readonly oldestS: number;
}
