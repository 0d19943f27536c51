/** Threads never use network or database. Buffers are transferred, not copied. */
import type { ParseDownloadTask } from '../../downloads/parse.ts';
import type { JobChunk, JobChunkTask } from '../rows/chunk-types.ts';
import type { BuildSnapshotTask, BuiltSnapshot } from '../../snapshot/build-task.ts';
import type { ParsePageTask, ParsedPage } from '../../wfs/page.ts';
import type { MessagePort } from 'node:worker_threads';
import type { ParseTableTask, ParsedTable } from '../../downloads/table-task.ts';
import type { TileSurvey } from '../../snapshot/tiles/cut.ts';
import type { CutTile, CutTileTask, SurveyTilesTask } from '../../snapshot/tiles/tile-task.ts';

/** A value because error classes do not cross threads. */
export interface Refused {
  readonly refused: string;
}

export interface SessionTask {
  /** Transferred: `SessionRequest` in, `SessionAnswer` out. */
  readonly port: MessagePort;
  readonly cancelled: Int32Array<SharedArrayBuffer>;
}

export interface SessionBatch {
  /** The same object while unchanged, so that a thread receives it once. */
  readonly context: object;
}

export interface SessionRequest<T extends SessionBatch> {
  readonly task: Omit<T, 'context'>;
  readonly context: T['context'] | null;
}

export type SessionAnswer<R> = { readonly result: R } | { readonly error: Error };

export interface HandedOver<T> {
  readonly value: T;
  readonly give: ArrayBuffer[];
}

/** The keys are file names in workers/. */
export interface WorkerTasks {
  'parse-page': { readonly task: ParsePageTask; readonly result: ParsedPage | Refused };
  'parse-download': { readonly task: ParseDownloadTask; readonly result: ParsedPage | Refused };
  'parse-table': { readonly task: ParseTableTask; readonly result: ParsedTable | Refused };
  'job-chunk': { readonly task: JobChunkTask; readonly result: JobChunk };
  'cut-tile': { readonly task: CutTileTask; readonly result: CutTile };
  'survey-tiles': { readonly task: SurveyTilesTask; readonly result: TileSurvey };
  'build-snapshot': { readonly task: BuildSnapshotTask; readonly result: BuiltSnapshot };
}
