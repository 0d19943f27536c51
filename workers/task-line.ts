/**
 * Tasks of a pool in their order, no more of them with the pool than it has threads: Piscina begins no thread for what
 * waits when it ends one, and neither bounds nor orders waiting tasks that may be given up. A task that takes longer
 * than it may is ended with its thread, logged and counted.
 */
import type { TaskView } from '../src/core/tasks/workers.ts';
import { Failure } from '../src/kernel/failures.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { MemoryWatch } from '../src/threads/memory-watch.ts';

export interface TaskLineOptions {
  readonly threads: number;
  /** Tasks that wait; the next is refused. */
  readonly queue: number;
  readonly log: { error(message: string): void };
  readonly memory: MemoryWatch;
}

export interface LinedTask {
  readonly name: string;
  /** Beyond it the task hangs. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Running extends LinedTask {
  readonly end: AbortController;
  looks: number;
}

export class TaskLine {
  readonly #options: TaskLineOptions;
  readonly #running = new Set<Running>();
  /** Threads without a task; one is handed over to the next that waits. */
  #free: number;
  /** What begins each, in their order. */
  readonly #waiting = new Set<() => void>();
  #hung = 0;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: TaskLineOptions) {
    this.#options = options;
    this.#free = options.threads;
  }

  get queued(): number {
    return this.#waiting.size;
  }

  get view(): TaskView {
    const looks = Math.max(0, ...[...this.#running].map((task) => task.looks));
    return { hung: this.#hung, oldestS: (looks * LIMITS.taskLookMs) / 1000 };
  }

  /** `ask` gives the task to the pool, which ends its thread when the signal aborts. */
  async run<R>(of: LinedTask, ask: (signal: AbortSignal) => Promise<R>): Promise<R> {
    const { signal } = of;
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    const end = new AbortController();
    const task: Running = { ...of, end, looks: 0 };
    this.#running.add(task);
    this.#options.memory.begin();
    this.#looking ??= setInterval(() => this.#look(), LIMITS.taskLookMs).unref();
    try {
      signal?.throwIfAborted();
      return await ask(signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]));
    } catch (error) {
      throw end.signal.aborted || isThreadGone(error) ? overloaded(error) : error;
    } finally {
      this.#options.memory.end();
      this.#running.delete(task);
      this.#next();
    }
  }

  /** Of a thread that another ends. */
  countEnded(says: string): void {
    this.#hung += 1;
    this.#options.log.error(says);
  }

  countHung(name: string, ms: number): void {
    this.countEnded(`${name} hangs: no end after ${ms / 1000} s; its thread is ended`);
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#options.queue) throw overloaded();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const begin = (): void => resolve(undefined);
    const giveUp = (): void => {
      this.#waiting.delete(begin);
      reject(signal?.reason as Error);
    };
    this.#waiting.add(begin);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  #next(): void {
    const [begin] = this.#waiting;
    if (begin !== undefined) {
      this.#waiting.delete(begin);
      begin();
      return;
    }
    this.#free += 1;
    if (this.#running.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Only looks count: a machine that was paused has not let a task run either. */
  #look(): void {
    for (const task of this.#running) {
      task.looks += 1;
      if (task.looks * LIMITS.taskLookMs < task.limitMs || task.end.signal.aborted) continue;
      this.countHung(task.name, task.limitMs);
      task.end.abort();
    }
  }
}

/** It ended at its task: by its memory, or as another ended it. */
export function isThreadGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message.startsWith('worker exited with code');
}

export function overloaded(cause?: unknown): Failure {
  return new Failure('overloaded', { retryAfterS: 1, cause });
}
