/**
 * No more tasks are in the pool than it has threads: Piscina neither bounds nor orders waiting
 * tasks that may be given up. A task without progress is ended with its thread, logged and counted.
 */
import { readFileSync } from 'node:fs';
import type { TaskView } from '../src/core/tasks/workers.ts';
import { Failure } from '../src/kernel/failures.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { newPulse } from '../src/kernel/pulse.ts';
import type { Pulse } from '../src/kernel/pulse.ts';
import type { MemoryWatch } from '../src/threads/memory-watch.ts';

export interface TaskLineOptions {
  readonly threads: number;
  readonly queue: number;
  readonly log: { error(message: string): void };
  readonly memory: MemoryWatch;
  /** For tests. */
  readonly stateOf?: (thread: number) => ThreadState | null;
}

interface ThreadState {
  /** It runs, or waits for a processor. */
  readonly isRunnable: boolean;
  readonly processorMs: number;
}

export interface LinedTask {
  readonly name: string;
  /** Without progress for longer, the task hangs. */
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Running extends LinedTask {
  readonly end: AbortController;
  readonly pulse: Pulse;
  looks: number;
  /** As of the last look: steps done, the thread, and time since a step. */
  beats: number;
  state: ThreadState | null;
  silentMs: number;
}

export class TaskLine {
  readonly #options: TaskLineOptions;
  readonly #running = new Set<Running>();
  /** Threads without a task; one is handed over to the next that waits. */
  #free: number;
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

  /**
   * `ask` gives the task and its pulse to the pool, which ends the thread when the signal aborts.
   */
  async run<R>(of: LinedTask, ask: (signal: AbortSignal, pulse: Pulse) => Promise<R>): Promise<R> {
    const { signal } = of;
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    const end = new AbortController();
    const pulse = newPulse();
    const task: Running = { ...of, end, pulse, looks: 0, beats: 0, state: null, silentMs: 0 };
    this.#running.add(task);
    this.#options.memory.begin();
    this.#looking ??= setInterval(() => this.#look(), LIMITS.taskLookMs).unref();
    try {
      signal?.throwIfAborted();
      const either = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
      return await ask(either, pulse);
    } catch (error) {
      throw end.signal.aborted || isThreadGone(error) ? overloaded(error) : error;
    } finally {
      this.#options.memory.end();
      this.#running.delete(task);
      this.#next();
    }
  }

  /** Counts a thread that its pool ends. */
  countEnded(says: string): void {
    this.#hung += 1;
    this.#options.log.error(says);
  }

  countHung(what: string, ms: number): void {
    this.countEnded(`${what} for ${ms / 1000} s; its thread is ended`);
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
      notePulse(task, (this.#options.stateOf ?? stateOf)(task.pulse[1] ?? 0));
      if (task.silentMs < task.limitMs || task.end.signal.aborted) continue;
      this.countHung(`${task.name} hangs: no progress`, task.limitMs);
      task.end.abort();
    }
  }
}

/** A thread that waits for a processor is not silent: work gets what requests leave. */
function notePulse(task: Running, state: ThreadState | null): void {
  const { taskLookMs: all } = LIMITS;
  const [beats = 0] = task.pulse;
  const isRunnable = state !== null && (state.isRunnable || task.state?.isRunnable === true);
  const ranMs = isRunnable
    ? Math.min(all, state.processorMs - (task.state?.processorMs ?? 0))
    : all;
  task.silentMs = beats === task.beats ? task.silentMs + ranMs : 0;
  task.beats = beats;
  task.state = state;
}

/** A clock tick, as Linux counts processor time for programs. */
const TICK_MS = 10;

/** null: not Linux, or the thread has not begun. */
function stateOf(thread: number): ThreadState | null {
  if (thread === 0) return null;
  try {
    // The third field begins after the name, which may hold blanks.
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [Number(fields[11]), Number(fields[12])];
    return { isRunnable: fields[0] === 'R', processorMs: (user + system) * TICK_MS };
  } catch {
    return null;
  }
}

/** The thread ended at its task: by its memory, or as another ended it. */
export function isThreadGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message.startsWith('worker exited with code');
}

export function overloaded(cause?: unknown): Failure {
  return new Failure('overloaded', { retryAfterS: 1, cause });
}
