import { basename } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Asker } from '../src/kernel/deadline.ts';
import { Failure } from '../src/kernel/failures.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { buildHeapMiB, workHeapMiB } from '../src/kernel/thread-plan.ts';
import { MemoryWatch, heapLimits, mostOfProcessMiB } from '../src/threads/memory-watch.ts';
import { THREAD_LIMITS } from '../src/threads/limits.ts';
import { JOB_LIMITS } from '../src/jobs/limits.ts';
import { UpstreamFailure } from '../src/wfs/failure.ts';
import type { Refused, SessionBatch, WorkerTasks } from '../src/core/tasks/protocol.ts';
import type { BatchTask, ThreadTask } from '../src/core/tasks/thread-task.ts';
import type { PoolView, TaskView, Workers } from '../src/core/tasks/workers.ts';
import type { JobChunk, JobChunkTask } from '../src/core/rows/chunk-types.ts';
import type { EnteredTask } from './enter.ts';
import { WorkerSessions } from './sessions.ts';
import { TaskLine, isThreadGone, overloaded } from './task-line.ts';
import { STREAM_LIMITS } from '../src/core/tasks/stream-task.ts';
import type { StreamTask } from '../src/core/tasks/stream-task.ts';
import { collectYoungOnOwnThread } from '../src/core/tasks/lower-priority.ts';

export interface WorkersOptions {
  readonly threads: number;
  readonly queue?: number;
  readonly batchQueue?: number;
  /** How long after its batch was given up a thread is ended. For tests. */
  readonly batchHungMs?: number;
  readonly taskMs?: TaskLimits;
  /** MiB, of a thread and of the process. For tests. */
  readonly memory?: { readonly heapMiB?: number; readonly processMiB?: number };
  /** Logs what ended a thread between two tasks. */
  readonly log?: { error(message: string): void };
}

type TaskLimits = Readonly<Record<keyof (typeof LIMITS)['taskMs'], number>>;
type PoolLog = NonNullable<WorkersOptions['log']>;

interface LinedPool {
  readonly pool: Piscina;
  readonly line: TaskLine;
}

interface PoolOptions {
  readonly maxThreads: number;
  readonly idleTimeout: number;
  /** Absent: `enter.ts`, which runs any task. */
  readonly filename?: string;
  readonly each?: number;
  /** Tasks that wait; the next is refused. */
  readonly queue?: number;
  readonly heapMiB: number;
  readonly youngMiB?: number;
}

interface PoolParts {
  readonly log: PoolLog;
  readonly memory: MemoryWatch;
  /** MiB, of a thread for batches, maps and jobs. */
  readonly heapMiB: number;
}

const ENTER = new URL('./enter.ts', import.meta.url).href;

function partsOf(
  { heapMiB = workHeapMiB(), processMiB = mostOfProcessMiB() }: WorkersOptions['memory'] & object,
  log: PoolLog,
): PoolParts {
  const memory = new MemoryWatch({ everyMs: THREAD_LIMITS.memory.poolMs, processMiB });
  return { log, memory, heapMiB };
}

/** A pool's errors end nothing else. */
function createPool(
  { maxThreads, idleTimeout, filename = ENTER, each = 1, queue = Infinity, ...heap }: PoolOptions,
  { log, memory }: Omit<PoolParts, 'heapMiB'>,
): LinedPool {
  const pool = new Piscina({
    ...{ filename, minThreads: 0, maxThreads, idleTimeout, recordTiming: false },
    concurrentTasksPerWorker: each,
    // Piscina's default blocks a thread without a task, and its connections too.
    atomics: each > 1 ? 'disabled' : 'sync',
    resourceLimits: { ...heapLimits(heap.heapMiB), maxYoungGenerationSizeMb: heap.youngMiB },
  });
  // An error event without a listener ends the process.
  pool.on('error', (error: Error) => {
    // The result of a task aborted in progress. It contains the request.
    if (error.message.startsWith('Unexpected message from Worker')) return;
    log.error(`a thread ended between two tasks: ${error.message}`);
  });
  const line = new TaskLine({ threads: maxThreads * each, queue, log, memory });
  const onEnd = (says: string): void => line.countEnded(`a thread of the pool ${says}`);
  memory.add({ threads: () => pool.threads, heapMiB: heap.heapMiB, onEnd });
  return { pool, line };
}

type TaskName = keyof WorkerTasks;

/** Threads start on their first task and stay. Close when done. */
export function createWorkers({
  threads,
  queue = LIMITS.workerQueue,
  batchQueue = LIMITS.batchQueue,
  batchHungMs: hungMs = LIMITS.batchHungMs,
  taskMs = LIMITS.taskMs,
  memory = {},
  log = { error: () => undefined },
}: WorkersOptions): Workers {
  collectYoungOnOwnThread();
  const parts = partsOf(memory, log);
  const heapMiB = buildHeapMiB();
  const shared = createPool({ maxThreads: threads, queue, idleTimeout: 30_000, heapMiB }, parts);
  const { parse, build, other } = taskMs;
  const run = <N extends TaskName>(name: N, task: WorkerTasks[N]['task'], options: RunOptions) =>
    runIn<WorkerTasks[N]['result']>(shared, { file: fileOf(name), task, ...options });
  const sessions = new Map<string, ReturnType<typeof createBatchThreads>>();
  const jobs = createJobThreads(threads, parts);
  const tiles = createTileThreads(threads, other, parts);
  const streams = createStreamThread(build, parts);

  return {
    parsePage: async (task, signal) =>
      readable(await run('parse-page', task, { give: [task.bytes], limitMs: parse, signal })),
    parseDownload: async (task, signal) =>
      readable(await run('parse-download', task, { give: [task.bytes], limitMs: parse, signal })),
    parseTable: async (task, signal) =>
      readable(await run('parse-table', task, { give: [task.bytes], limitMs: parse, signal })),
    buildSnapshot: (task, signal) =>
      run('build-snapshot', task, { ports: [task.port], limitMs: build, signal }),
    run: async <T, R>(of: ThreadTask<T, R>, task: T, signal?: AbortSignal): Promise<R> => {
      if (of.isOfMaps === true) return await tiles.run<R>(of.file, task);
      const [give, ports] = [of.give?.(task) ?? [], of.ports?.(task) ?? []];
      const limitMs = ports.length > 0 ? build : other;
      const asked = { file: of.file, task, give, ports, limitMs, signal };
      return readable(await runIn<R | Refused>(shared, asked));
    },
    batches: <T extends SessionBatch, R>(of: BatchTask<T, R>) => {
      const { href } = of.file;
      const known =
        sessions.get(href) ??
        createBatchThreads(of as never, { threads, queue: batchQueue, hungMs, ...parts });
      sessions.set(href, known);
      return (batch: T, asker?: Asker) => known.run(batch, asker) as Promise<R>;
    },
    jobChunk: (task, signal) => jobs.run(task, signal),
    stream: (task) => streams.run(task),
    cutTile: (task) => tiles.run(fileOf('cut-tile'), task),
    surveyTiles: (task) => tiles.run(fileOf('survey-tiles'), task),
    view: () => ({
      ...{ threads: shared.pool.threads.length, queued: shared.line.queued },
      batches: viewOfAll([...sessions.values()]),
      tasks: tasksOfAll([shared, jobs, tiles, ...sessions.values()], streams),
    }),
    close: async () => {
      const all = [shared.pool, ...sessions.values(), jobs, tiles, streams];
      await Promise.all(all.map((each) => each.close()));
    },
  };
}

interface RunOptions {
  readonly give?: readonly Uint8Array[];
  readonly ports?: readonly MessagePort[];
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface TaskOptions extends RunOptions {
  readonly file: URL;
  readonly task: unknown;
  readonly name?: string;
}

async function runIn<R>(
  { pool, line }: LinedPool,
  { file, name = nameOf(file), task, give = [], ports = [], limitMs, signal }: TaskOptions,
): Promise<R> {
  const transferList = [...give.flatMap(transferable), ...ports];
  try {
    return (await line.run({ name, limitMs, signal }, (end, pulse) => {
      const entered: EnteredTask = { href: file.href, task, pulse };
      return pool.run(entered, { transferList, signal: end });
    })) as R;
  } catch (error) {
    throw failureOf(error, signal);
  }
}

function nameOf({ pathname }: URL): string {
  return `a task of ${basename(pathname).replace(/(\.thread)?\.[jt]s$/, '')}`;
}

/** Only when the array is all of the buffer: a slice of a pool would take others along. */
function transferable({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function readable<T>(result: T | Refused): T {
  if (isRefused(result)) throw new UpstreamFailure('unreadable', result.refused);
  return result;
}

function isRefused(result: unknown): result is Refused {
  return typeof result === 'object' && result !== null && 'refused' in result;
}

function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return reasonOf(signal);
  return isThreadGone(error) ? overloaded(error) : error;
}

/** A failure given as abort reason, such as a deadline, is the result. */
function reasonOf({ reason }: AbortSignal): Error {
  if (reason instanceof Failure) return reason;
  return new UpstreamFailure('aborted', 'given up while waiting for a thread');
}

type SizeOfThreads = Required<Pick<WorkersOptions, 'threads' | 'queue'>> & PoolParts;

function fileOf(name: TaskName): URL {
  return new URL(`./${name}.ts`, import.meta.url);
}

function viewOfAll(batches: readonly { view(): PoolView }[]): PoolView {
  const views = batches.map((each) => each.view());
  return {
    threads: views.reduce((sum, each) => sum + each.threads, 0),
    queued: views.reduce((sum, each) => sum + each.queued, 0),
  };
}

/** A stream lasts as long as its reader wants, so its age is not counted. */
function tasksOfAll(
  lined: readonly Pick<LinedPool, 'line'>[],
  streams: Pick<LinedPool, 'line'>,
): TaskView {
  const views = lined.map(({ line }) => line.view);
  return {
    hung: views.reduce((sum, { hung }) => sum + hung, streams.line.view.hung),
    oldestS: Math.max(...views.map(({ oldestS }) => oldestS)),
  };
}

const BATCH_HOLDERS = 4;

function createBatchThreads<T extends SessionBatch, R>(
  { file: { href: filename }, transfer, full }: BatchTask<T, R>,
  { threads, queue, hungMs, ...parts }: SizeOfThreads & { readonly hungMs: number },
) {
  const { memory, heapMiB } = parts;
  // A thread without a session has been without a batch for long.
  const { pool, line } = createPool(
    { filename, maxThreads: threads, idleTimeout: 0, heapMiB },
    parts,
  );
  const sessions = new WorkerSessions<T, R>({
    ...{ transfer, full },
    // One account's batches are limited, so that others wait for their turn only.
    queue: { each: queue, total: BATCH_HOLDERS * queue },
    ...{ pool, threads },
    idleMs: LIMITS.batchThreadIdleMs,
    hungMs,
    onHung: () => line.countHung('a batch that was given up hangs: no end', hungMs),
    closed: () => new UpstreamFailure('aborted', 'the service is closing'),
  });
  return {
    line,
    run: async (batch: T, asker: Asker = {}): Promise<R> => {
      memory.begin();
      try {
        return await sessions.ask(batch, asker);
      } catch (error) {
        throw failureOf(error, asker.signal);
      } finally {
        memory.end();
      }
    },
    view: (): PoolView => ({ threads: pool.threads.length, queued: sessions.queued }),
    close: async () => {
      await sessions.close();
      await pool.close();
    },
  };
}

function createJobThreads(threads: number, parts: PoolParts) {
  const { threadIdleMs: idleTimeout, chunkMs: limitMs } = JOB_LIMITS;
  const { heapMiB } = parts;
  const lined = createPool({ maxThreads: threads, idleTimeout, heapMiB }, parts);
  const of = { file: fileOf('job-chunk'), name: 'a chunk of a job', limitMs };
  return {
    line: lined.line,
    run: (task: JobChunkTask, signal?: AbortSignal): Promise<JobChunk> =>
      runIn<JobChunk>(lined, { ...of, task, give: [task.input], signal }),
    close: () => lined.pool.close(),
  };
}

/** Low priority, so that panning a map delays no lookup. */
function createTileThreads(threads: number, limitMs: number, parts: PoolParts) {
  const { tilesWaiting: queue, threadIdleMs: idleTimeout } = LIMITS.kort;
  const { heapMiB } = parts;
  const lined = createPool({ maxThreads: threads, queue, idleTimeout, heapMiB }, parts);
  return {
    line: lined.line,
    run: async <R>(file: URL, task: unknown): Promise<R> =>
      await runIn<R>(lined, { file, task, limitMs }),
    close: () => lined.pool.close(),
  };
}

const STREAM_FILE = new URL('../src/core/tasks/stream.thread.ts', import.meta.url);

function createStreamThread(limitMs: number, parts: PoolParts) {
  const { streams: each, idleMs: idleTimeout, youngMiB } = STREAM_LIMITS;
  const options = { filename: STREAM_FILE.href, each, queue: each, idleTimeout, youngMiB };
  const lined = createPool({ maxThreads: 1, ...options, heapMiB: parts.heapMiB }, parts);
  return {
    line: lined.line,
    run: async (task: StreamTask): Promise<void> => {
      const of = { name: nameOf(STREAM_FILE), limitMs };
      try {
        await lined.line.run(of, (end, pulse) => {
          // Piscina gives a thread nothing else while it has a task that a signal may end.
          end.addEventListener('abort', () => lined.pool.threads.map((each) => each.terminate()));
          return lined.pool.run({ task, pulse }, { transferList: [task.port] });
        });
      } catch (error) {
        throw failureOf(error, undefined);
      }
    },
    close: () => lined.pool.close(),
  };
}
