/**
 * Messages between the request thread and worker threads: types only. Threads never use network or
 * database. Buffers are transferred, not copied.
 */
import type { BuildIndexTask } from '../src/registers/addresses/index/build-task.ts';
import type { BuildPlacesTask } from '../src/registers/places/index/build-task.ts';
import type { ParseDownloadTask } from '../src/downloads/parse.ts';
import type { JobChunk, JobChunkTask } from '../src/jobs/chunk-types.ts';
import type { MeasureWindowTask, MeasuredWindow } from '../src/registers/lines/window.ts';
import type {
  BuildRecordsTask,
  BuildSnapshotTask,
  BuiltSnapshot,
} from '../src/snapshot/build-task.ts';
import type { ParsePageTask, ParsedPage } from '../src/wfs/page.ts';
import type { GzipPiece } from '../src/kernel/gzip.ts';
import type { MessagePort } from 'node:worker_threads';
import type { ParseTableTask, ParsedTable } from '../src/downloads/table-task.ts';
import type { TileSurvey } from '../src/snapshot/tiles/cut.ts';
import type {
  CutParcelsTask,
  CutTile,
  CutTileTask,
  SurveyTilesTask,
} from '../src/snapshot/tiles/tile-task.ts';

/** An unreadable input, as a value because error classes do not cross threads. */
export interface Refused {
  readonly refused: string;
}

/** Renders one area's two sets of rings (D43). Worker: `render-area.ts`. */
export interface RenderAreaTask {
  /** 2D WKB, EPSG:25832. Transferred. */
  readonly wkb: Uint8Array;
}

/** The `geometri` value, compressed once for all answers. */
export type RenderedArea = GzipPiece;

/** A worker session with batches. Workers: `lines-session.ts`, `property-session.ts`. */
export interface SessionTask {
  /** Transferred: `SessionRequest` in, `SessionAnswer` out. */
  readonly port: MessagePort;
  readonly cancelled: Int32Array<SharedArrayBuffer>;
}

export interface SessionBatch {
  /** The same object while unchanged, so that a thread receives it once. */
  readonly context: object;
}

/** One batch. `context` null: unchanged. */
export interface SessionRequest<T extends SessionBatch> {
  readonly task: Omit<T, 'context'>;
  readonly context: T['context'] | null;
}

export type SessionAnswer<R> = { readonly result: R } | { readonly error: Error };

export interface HandedOver<T> {
  readonly value: T;
  readonly give: ArrayBuffer[];
}

/** Every task of worker threads: name (= file name in workers/) -> input and result. */
export interface WorkerTasks {
  'parse-page': { readonly task: ParsePageTask; readonly result: ParsedPage | Refused };
  'parse-download': { readonly task: ParseDownloadTask; readonly result: ParsedPage | Refused };
  'parse-table': { readonly task: ParseTableTask; readonly result: ParsedTable | Refused };
  'render-area': { readonly task: RenderAreaTask; readonly result: RenderedArea };
  'measure-window': {
    readonly task: MeasureWindowTask;
    readonly result: MeasuredWindow | Refused;
  };
  'job-chunk': { readonly task: JobChunkTask; readonly result: JobChunk };
  'build-address-index': { readonly task: BuildIndexTask; readonly result: BuiltSnapshot };
  'build-place-index': { readonly task: BuildPlacesTask; readonly result: BuiltSnapshot };
  'build-property-records': { readonly task: BuildRecordsTask; readonly result: BuiltSnapshot };
  'cut-tile': { readonly task: CutTileTask; readonly result: CutTile };
  'cut-parcels': { readonly task: CutParcelsTask; readonly result: CutTile };
  'survey-tiles': { readonly task: SurveyTilesTask; readonly result: TileSurvey };
  'build-snapshot': { readonly task: BuildSnapshotTask; readonly result: BuiltSnapshot };
}
