/**
 * The worker threads, the only user of Piscina: one method per task, a bounded queue, abort
 * signals, transferred buffers. A new task is a file in this folder, a line in protocol.ts and one
 * in `createWorkers`.
 */
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Asker } from '../src/kernel/deadline.ts';
import { Failure } from '../src/kernel/failures.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { JOB_LIMITS } from '../src/jobs/limits.ts';
import { UpstreamFailure } from '../src/wfs/failure.ts';
import type { ParseTableTask, ParsedTable } from '../src/downloads/table-task.ts';
import type {
  Refused,
  RenderAreaTask,
  RenderedArea,
  SessionBatch,
  WorkerTasks,
} from './protocol.ts';
import type { BuildIndexTask } from '../src/registers/addresses/index/build-task.ts';
import type { BuildPlacesTask } from '../src/registers/places/index/build-task.ts';
import type {
  BuildRecordsTask,
  BuildSnapshotTask,
  BuiltSnapshot,
} from '../src/snapshot/build-task.ts';
import type { JobChunk, JobChunkTask } from '../src/jobs/chunk-types.ts';
import type { LinesPage, LinesPageTask } from '../src/registers/lines/pages.ts';
import type { PropertyBatch, PropertyBatchTask } from '../src/registers/property/batches.ts';
import type { MeasuredWindow, MeasureWindowTask } from '../src/registers/lines/window.ts';
import type { ParseDownloadTask } from '../src/downloads/parse.ts';
import type { ParsedPage, ParsePageTask } from '../src/wfs/page.ts';
import type { TileSurvey } from '../src/snapshot/tiles/cut.ts';
import type {
  CutParcelsTask,
  CutTile,
  CutTileTask,
  SurveyTilesTask,
} from '../src/snapshot/tiles/tile-task.ts';
import { WorkerSessions } from './sessions.ts';
import type { WorkerSessionsOptions } from './sessions.ts';
import { disableParallelScavenge } from './lower-priority.ts';

export interface Workers {
  /**
   * Reads one upstream answer. Takes ownership of the bytes. Throws UpstreamFailure `unreadable`
   * when the page as a whole cannot be read, Failure `overloaded` when the queue is full.
   */
  parsePage(task: ParsePageTask, signal?: AbortSignal): Promise<ParsedPage>;
  /** A downloaded table, or a part. Takes ownership of the bytes. */
  parseDownload(task: ParseDownloadTask, signal?: AbortSignal): Promise<ParsedPage>;
  /** A piece of a register table. Takes ownership of the bytes. Throws as `parsePage`. */
  parseTable(task: ParseTableTask, signal?: AbortSignal): Promise<ParsedTable>;
  /**
   * One line at one point, from a live window. Takes ownership of the bytes. Throws UpstreamFailure
   * `unreadable` when any feature cannot be read or measured: never a guess.
   */
  measureWindow(task: MeasureWindowTask, signal?: AbortSignal): Promise<MeasuredWindow>;
  /** A layer's snapshot in shared memory, from rows sent through the task's port. */
  buildSnapshot(task: BuildSnapshotTask, signal?: AbortSignal): Promise<BuiltSnapshot>;
  /** The address index in shared memory, from lines requested through the task's port. */
  buildAddressIndex(task: BuildIndexTask, signal?: AbortSignal): Promise<BuiltSnapshot>;
  /** The index of place names in shared memory, from rows requested through the task's port. */
  buildPlaceIndex(task: BuildPlacesTask, signal?: AbortSignal): Promise<BuiltSnapshot>;
  /**
   * The file of properties from rows requested through the task's port; its index in shared memory.
   */
  buildPropertyRecords(task: BuildRecordsTask, signal?: AbortSignal): Promise<BuiltSnapshot>;
  /** An area's geometry as a compressed piece of an answer. Takes ownership of the bytes. */
  renderArea(task: RenderAreaTask, signal?: AbortSignal): Promise<RenderedArea>;
  /**
   * Many points against the ten lines, in dedicated threads. Takes ownership of the points. Throws
   * Failure `rate_limited` when too many batches wait, UpstreamFailure `aborted` at once on abort:
   * the thread notices by itself and stays.
   */
  linesPage(task: LinesPageTask, asker?: Asker): Promise<LinesPage>;
  /**
   * Many properties from their file, in dedicated threads. Throws Failure `overloaded` when too
   * many batches wait, UpstreamFailure `aborted` at once on abort: the thread notices by itself and
   * stays.
   */
  propertyBatch(task: PropertyBatchTask, asker?: Asker): Promise<PropertyBatch | null>;
  /** The rows of a job's chunk, in dedicated threads. Takes ownership of the input. */
  jobChunk(task: JobChunkTask, signal?: AbortSignal): Promise<JobChunk>;
  /** A map tile, in dedicated threads. Throws Failure `overloaded` when too many wait. */
  cutTile(task: CutTileTask): Promise<CutTile>;
  /** In the tile threads. */
  cutParcels(task: CutParcelsTask): Promise<CutTile>;
  surveyTiles(task: SurveyTilesTask): Promise<TileSurvey>;
  view(): PoolView & { readonly batches: PoolView };
  close(): Promise<void>;
}

export interface PoolView {
  readonly threads: number;
  readonly queued: number;
}

export interface WorkersOptions {
  readonly threads: number;
  readonly queue?: number;
  readonly batchQueue?: number;
  /** Logs what ended a thread between two tasks. */
  readonly log?: { error(message: string): void };
}

type PoolLog = NonNullable<WorkersOptions['log']>;

/** A pool whose threads start on their first task, and whose errors end nothing else. */
function createPool(options: ConstructorParameters<typeof Piscina>[0], log: PoolLog): Piscina {
  const pool = new Piscina({
    minThreads: 0,
    // Without it Piscina moves the second task to the end each time the first is taken, and a task
    // may wait forever.
    stricterFIFO: true,
    recordTiming: false,
    ...options,
  });
  // An error event without a listener ends the process.
  pool.on('error', (error: Error) => {
    // The result of a task aborted in progress. It contains the request.
    if (error.message.startsWith('Unexpected message from Worker')) return;
    log.error(`a thread ended between two tasks: ${error.message}`);
  });
  return pool;
}

type TaskName = keyof WorkerTasks;

/** Threads start on their first task and stay. Close when done. */
export function createWorkers({
  threads,
  queue = LIMITS.workerQueue,
  batchQueue = LIMITS.batchQueue,
  log = { error: () => undefined },
}: WorkersOptions): Workers {
  disableParallelScavenge();
  const pool = createPool({ maxThreads: threads, maxQueue: queue, idleTimeout: 30_000 }, log);

  const run = async <N extends TaskName>(
    name: N,
    task: WorkerTasks[N]['task'],
    { give = [], ports = [], signal }: RunOptions = {},
  ): Promise<WorkerTasks[N]['result']> => {
    try {
      return (await pool.run(task, {
        filename: new URL(`./${name}.ts`, import.meta.url).href,
        transferList: [...give.flatMap(transferable), ...ports],
        ...(signal && { signal }),
      })) as WorkerTasks[N]['result'];
    } catch (error) {
      throw failureOf(error, signal);
    }
  };
  const batches = createLineThreads({ threads, queue: batchQueue, log });
  const properties = createPropertyThreads({ threads, queue: batchQueue, log });
  const jobs = createJobThreads(threads, log);
  const tiles = createTileThreads(threads, log);

  return {
    parsePage: async (task, signal) =>
      readable(await run('parse-page', task, { give: [task.bytes], signal })),
    parseDownload: async (task, signal) =>
      readable(await run('parse-download', task, { give: [task.bytes], signal })),
    parseTable: async (task, signal) =>
      readable(await run('parse-table', task, { give: [task.bytes], signal })),
    measureWindow: async (task, signal) =>
      readable(await run('measure-window', task, { give: [task.page.bytes], signal })),
    buildSnapshot: (task, signal) => run('build-snapshot', task, { ports: [task.port], signal }),
    buildAddressIndex: (task, signal) =>
      run('build-address-index', task, { ports: [task.port], signal }),
    buildPlaceIndex: (task, signal) =>
      run('build-place-index', task, { ports: [task.port], signal }),
    buildPropertyRecords: (task, signal) =>
      run('build-property-records', task, { ports: [task.port], signal }),
    renderArea: (task, signal) => run('render-area', task, { give: [task.wkb], signal }),
    linesPage: (task, asker) => batches.run(task, asker),
    propertyBatch: (task, asker) => properties.run(task, asker),
    jobChunk: (task, signal) => jobs.run(task, signal),
    cutTile: (task) => tiles.run('cut-tile', task),
    cutParcels: (task) => tiles.run('cut-parcels', task),
    surveyTiles: (task) => tiles.run('survey-tiles', task),
    view: () => ({ threads: pool.threads.length, queued: pool.queueSize, batches: batches.view() }),
    close: async () => {
      await Promise.all([pool, batches, properties, jobs, tiles].map((threads) => threads.close()));
    },
  };
}

interface RunOptions {
  /** Arrays whose buffers are transferred to the thread. */
  readonly give?: readonly Uint8Array[];
  readonly ports?: readonly MessagePort[];
  readonly signal?: AbortSignal | undefined;
}

/** Only buffers that the array fills: a slice of a pool would take others along. */
function transferable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function readable<T extends object>(result: T | Refused): T {
  if ('refused' in result) throw new UpstreamFailure('unreadable', result.refused);
  return result;
}

function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return reasonOf(signal);
  return isFull(error) ? new Failure('overloaded', { retryAfterS: 1, cause: error }) : error;
}

/** A failure given as abort reason, such as a deadline, is the result. */
function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof Failure) return reason;
  return new UpstreamFailure('aborted', 'given up while waiting for a thread');
}

function isFull(error: unknown): boolean {
  return error instanceof Error && /queue (is )?at limit/i.test(error.message);
}

type SizeOfThreads = Required<Pick<WorkersOptions, 'threads' | 'queue' | 'log'>>;

/** Separate threads for batches of points, so that none waits for a parser or builder. */
function createLineThreads(size: SizeOfThreads) {
  return createBatchThreads<LinesPageTask, LinesPage>('lines-session', {
    ...size,
    transfer: ({ points, degrees }) => [points.buffer, degrees.buffer],
    full: () =>
      new Failure('rate_limited', {
        error: 'Too many batches are waiting. Try again after Retry-After.',
        errorDa: 'For mange samlede opslag venter. Prøv igen efter Retry-After.',
        retryAfterS: 1,
      }),
  });
}

/** Separate threads for batches of properties: those of points take a tenth of their time. */
function createPropertyThreads(size: SizeOfThreads) {
  return createBatchThreads<PropertyBatchTask, PropertyBatch | null>('property-session', {
    ...size,
    transfer: () => [],
    full: () => new Failure('overloaded', { retryAfterS: 1 }),
  });
}

/** Accounts that may have the maximum of waiting batches at the same time. */
const BATCH_HOLDERS = 4;

function createBatchThreads<T extends SessionBatch, R>(
  task: string,
  {
    threads,
    log,
    queue,
    ...options
  }: SizeOfThreads & Pick<WorkerSessionsOptions<T>, 'transfer' | 'full'>,
) {
  const filename = new URL(`./${task}.ts`, import.meta.url).href;
  // A thread without a session has long been idle.
  const pool = createPool({ filename, maxThreads: threads, idleTimeout: 0 }, log);
  const sessions = new WorkerSessions<T, R>({
    ...options,
    // As many per account as the former total; other accounts wait for their turn, not for all of
    // those.
    queue: { each: queue, total: BATCH_HOLDERS * queue },
    ...{ pool, threads },
    idleMs: LIMITS.batchThreadIdleMs,
    closed: () => new UpstreamFailure('aborted', 'the service is closing'),
  });
  return {
    run: async (batch: T, asker: Asker = {}): Promise<R> => {
      try {
        return await sessions.ask(batch, asker);
      } catch (error) {
        throw failureOf(error, asker.signal);
      }
    },
    view: (): PoolView => ({ threads: pool.threads.length, queued: sessions.queued }),
    close: async () => {
      await sessions.close();
      await pool.close();
    },
  };
}

/** Separate threads for jobs, so that no batch waits for a job's chunk. */
function createJobThreads(threads: number, log: PoolLog) {
  const filename = new URL('./job-chunk.ts', import.meta.url).href;
  const { threadIdleMs: idleTimeout } = JOB_LIMITS;
  const pool = createPool({ filename, maxThreads: threads, idleTimeout }, log);
  return {
    run: async (task: JobChunkTask, signal?: AbortSignal): Promise<JobChunk> =>
      (await pool.run(task, {
        transferList: transferable(task.input),
        ...(signal && { signal }),
      })) as JobChunk,
    close: () => pool.close(),
  };
}

/** Separate low-priority threads for tiles, so that panning a map delays no lookup. */
function createTileThreads(threads: number, log: PoolLog) {
  const { tilesWaiting: maxQueue, threadIdleMs: idleTimeout } = LIMITS.kort;
  const pool = createPool({ maxThreads: threads, maxQueue, idleTimeout }, log);
  return {
    run: async <N extends 'cut-tile' | 'cut-parcels' | 'survey-tiles'>(
      name: N,
      task: WorkerTasks[N]['task'],
    ): Promise<WorkerTasks[N]['result']> => {
      try {
        const filename = new URL(`./${name}.ts`, import.meta.url).href;
        return (await pool.run(task, { filename })) as WorkerTasks[N]['result'];
      } catch (error) {
        throw failureOf(error, undefined);
      }
    },
    close: () => pool.close(),
  };
}
