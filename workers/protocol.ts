/**
 * What passes between the request thread and the worker threads: types only. Threads do arithmetic;
 * they never touch network or database. Buffers in tasks and results are transferred, not copied.
 */
import type { SeenColumns } from '../src/layers/contract.ts';
import type { GzipPiece } from '../src/kernel/gzip.ts';
import type { LayerId } from '../src/layers/keys.ts';
import type { BookList } from '../src/layers/address-lines.ts';
import type { MappingId } from '../src/layers/catalogue.ts';
import type { Box } from '../src/geo/box.ts';
import type { PointUtm32 } from '../src/geo/point.ts';
import type { MessagePort } from 'node:worker_threads';
import type { ParseTableTask, ParsedTable } from '../src/downloads/table-task.ts';
import type { SnapshotFeature } from '../src/snapshot/build-layer.ts';
import type { ChunkPart, ChunkQuestion } from '../src/jobs/chunk-terms.ts';
import type { Kind } from '../src/jobs/terms.ts';
import type { WindowMeasure } from '../src/snapshot/window.ts';
import type { Standing } from '../src/layers/feature.ts';

/** Parse one upstream answer and map its features. Worker: `parse-page.ts`. */
export interface ParsePageTask {
  readonly layer: LayerId;
  readonly mapping: MappingId;
  readonly geometryKind: 'area' | 'line';
  readonly format: 'gml' | 'geojson';
  readonly typeName: string;
  readonly geometryProperty: string;
  /** Unique attribute of the source, the key of the mirror. */
  readonly keyProperty: string;
  /** The CRS that was asked for: holds where an answer names none. */
  readonly srsName: string;
  /** DAGI only: see WfsSource. */
  readonly dagiScale: string | null;
  /** DAGI only: see MappingOptions. */
  readonly nowMs?: number | null;
  /** The answer as received. Handed over: unreadable for the sender afterwards. */
  readonly bytes: Uint8Array;
}

/** One mapped feature ready for the stage table. */
export interface EncodedFeature {
  readonly key: string;
  readonly objectId: string;
  readonly standing: Standing;
  readonly adopted: boolean;
  /** Canonical JSON of LineAttributes or AreaAttributes: keys sorted, no white space. */
  readonly attributes: string;
  /** Geometry as 2D little-endian WKB, EPSG:25832 metres, untouched but for the dropped Z. */
  readonly wkb: Uint8Array;
  /** SHA-256 over standing, adopted, object id, attributes and WKB: equal hash, equal feature. */
  readonly hash: Uint8Array;
}

export interface PageIssue {
  readonly key: string | null;
  readonly reason: string;
}

/** The outcome of one page. `members` is counted in the raw bytes, not by the parser. */
export interface ParsedPage {
  readonly members: number;
  /** Announced totals; null where absent or "unknown". Unknown is never 0. */
  readonly numberMatched: number | null;
  readonly numberReturned: number | null;
  readonly features: readonly EncodedFeature[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly issues: readonly PageIssue[];
  /** Mapped all the same, by what a deciding column does not say: reason to number of rows. */
  readonly doubts: Readonly<Record<string, number>>;
  /** Kinds of the columns seen. */
  readonly columns: SeenColumns;
  /** When the first of these rows starts or stops being true by itself, milliseconds UTC. */
  readonly nextChangeMs: number | null;
  /** Rows to come, and ends of rows in effect. Not among `features`: those are in effect now. */
  readonly dated: readonly DatedRow[];
}

/**
 * Something a register announces with its date, milliseconds UTC. `beginsAtMs` and `feature` are
 * null together: the row is in effect and its end is known. `endsAtMs` null: no end is known.
 */
export interface DatedRow {
  readonly key: string;
  readonly beginsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly feature: EncodedFeature | null;
}

/**
 * Parse one table of a file download, or a part of it. Worker: `parse-download.ts`. `members`: rows
 * counted while the bytes were cut; null where the task holds the whole file and counts itself.
 */
export interface ParseDownloadTask {
  readonly layer: LayerId;
  readonly mapping: MappingId;
  readonly geometryKind: 'area' | 'line';
  readonly format: 'gpkg' | 'json' | 'gml';
  readonly geometryProperty: string;
  readonly keyProperty: string;
  readonly srsName: string;
  readonly dagiScale: string | null;
  readonly nowMs: number | null;
  readonly members: number | null;
  /** Handed over: unreadable for the sender afterwards. */
  readonly bytes: Uint8Array;
}

/** A task whose input could not be read: a value, because error classes do not cross threads. */
export interface Refused {
  readonly refused: string;
}

/** Read a live window and measure one line at a point in it. Worker: `measure-window.ts`. */
export interface MeasureWindowTask {
  readonly page: ParsePageTask;
  /** The box that was asked for, EPSG:25832 metres: what does not meet it is no answer to it. */
  readonly box: Box;
  readonly point: PointUtm32;
  readonly radiusM: number;
}

/** As measured, where the page may lack a column that the answer depends on: then it proves nothing. */
export interface MeasuredWindow extends WindowMeasure {
  /** Needed columns that no feature showed, by normalised name. */
  readonly unseenColumns: readonly string[];
}

/** Build one layer's snapshot from rows sent through `port`. Worker: `build-snapshot.ts`. */
export interface BuildSnapshotTask {
  /** Receives BuildSnapshotMessage; says 'ready' first and 'taken' after each batch. Handed over. */
  readonly port: MessagePort;
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly files: { readonly flatGeobuf: string; readonly engine: string } | null;
}

export type BuildSnapshotMessage =
  | { readonly kind: 'features'; readonly rows: readonly SnapshotFeature[] }
  | { readonly kind: 'edges'; readonly edges: readonly Uint8Array[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'abort' };

/** Shared memory: passed, not copied. */
export interface BuiltSnapshot {
  readonly buffer: SharedArrayBuffer;
}

/**
 * Build the book of addresses from lines that the sender hands over when they are asked for. Worker:
 * `build-address-book.ts`.
 */
export interface BuildBookTask {
  /** Says 'ready', then asks with AskBookLines and is answered with BookLines. Handed over. */
  readonly port: MessagePort;
  /** The sender counts up behind each answer and wakes whoever waits. Shared. */
  readonly answered: Int32Array;
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly path: string | null;
}

/** The next lines of a list; `first`: from its beginning. */
export interface AskBookLines {
  readonly list: BookList;
  readonly first: boolean;
}

/** null: the list has ended. */
export type BookLines =
  { readonly kind: 'lines'; readonly text: string | null } | { readonly kind: 'abort' };

/** Render one area's two sets of rings (D43). Worker: `render-area.ts`. */
export interface RenderAreaTask {
  /** 2D WKB, EPSG:25832. Handed over. */
  readonly wkb: Uint8Array;
}

/** The `geometri` value of the answers, compressed once for all of them. */
export type RenderedArea = GzipPiece;

/** One layer's snapshot in shared memory, checked when it was loaded: passed, not copied. */
export interface SharedSnapshot {
  readonly layer: LayerId;
  readonly buffer: SharedArrayBuffer;
}

/** Many points against some snapshots of one generation. */
export interface BatchTask {
  /** The same object as long as it is the same: a thread is told once. */
  readonly standing: { readonly snapshots: readonly SharedSnapshot[] };
  /** x, y of each point, EPSG:25832 metres. Handed over. */
  readonly points: Float64Array<ArrayBuffer>;
  /** Set where the thread is, in shared memory: not 0 as soon as nobody waits for the result. */
  readonly givenUp?: Int32Array<SharedArrayBuffer>;
}

/** A thread's time with batches. Worker: `batch-shift.ts`. */
export interface ShiftTask {
  /** Handed over: `ShiftOrder` in, `ShiftAnswer` out. */
  readonly port: MessagePort;
  readonly givenUp: Int32Array<SharedArrayBuffer>;
}

/** One batch. `standing` null: as of the last of its name. */
export interface ShiftOrder {
  readonly name: keyof BatchTasks;
  readonly task: Omit<LinesPageTask | AreasBatchTask, 'standing'>;
  readonly standing: BatchTask['standing'] | null;
}

export type ShiftAnswer = { readonly result: LinesPage | AreasBatch } | { readonly error: Error };

/** A result, and those of its buffers that go over with it. */
export interface HandedOver<T> {
  readonly value: T;
  readonly give: ArrayBuffer[];
}

/**
 * Many points against the ten lines, laid out as the body of their answer. Snapshots in the order of
 * LINE_KEYS. Worker: `lines-page.ts`, on a shift.
 */
export interface LinesPageTask extends BatchTask {
  readonly standing: BatchTask['standing'] & {
    readonly radiusM: number;
    /** What the answer says of the lines, for the renderer: JSON in UTF-8, in shared memory. */
    readonly words: Uint8Array<SharedArrayBuffer>;
  };
  /** lon, lat of each point as the caller sent them. Handed over. */
  readonly degrees: Float64Array<ArrayBuffer>;
  /** The caller's id of each point; null: none has one. */
  readonly ids: readonly (string | undefined)[] | null;
  /** Shared memory for the body. */
  readonly room: Uint8Array;
}

export interface LinesPage {
  /** Bytes of the body, in the room that was given … */
  readonly length: number;
  /** … unless it was too small: then here. */
  readonly longBody: Uint8Array<ArrayBuffer> | null;
}

/** The areas of some themes that cover many points. Worker: `areas-batch.ts`, on a shift. */
export type AreasBatchTask = BatchTask;

/** Of each point in turn, each theme in turn: areas of the theme's snapshot, in no set order. */
export interface AreasBatch {
  /** First area of each cell, and one past the last. */
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly areas: Uint32Array<ArrayBuffer>;
}

/**
 * The rows of a chunk of a job. Snapshots of what its kind asks, all of one generation. Worker:
 * `job-chunk.ts`.
 */
export interface JobChunkTask extends ChunkQuestion {
  readonly kind: Kind;
  readonly generation: number;
  readonly snapshots: readonly SharedSnapshot[];
  readonly radiusM: number;
  /** The addresses; null: the kind needs none, or none are in memory. */
  readonly book: SharedArrayBuffer | null;
  /** `KindWords` as JSON in UTF-8, in shared memory. */
  readonly words: Uint8Array<SharedArrayBuffer>;
}

export type JobChunk = ChunkPart;

/** Every task a worker thread can do: name (= file name in workers/) -> input and result. */
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
  'build-address-book': { readonly task: BuildBookTask; readonly result: BuiltSnapshot };
  'build-snapshot': { readonly task: BuildSnapshotTask; readonly result: BuiltSnapshot };
}

/** Every batch a thread on its shift can answer: name (= file name in workers/) -> input and result. */
export interface BatchTasks {
  'lines-page': { readonly task: LinesPageTask; readonly result: LinesPage };
  'areas-batch': { readonly task: AreasBatchTask; readonly result: AreasBatch };
}
