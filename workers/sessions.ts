/**
 * Each thread answers through its own port until its session ends. As pool tasks, batches cost
 * three times the messages and left garbage until the next full collection.
 */
import { MessageChannel } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import type { Asker } from '../src/kernel/deadline.ts';
import { FairLine } from '../src/kernel/fair-line.ts';
import type { CounterLimits } from '../src/kernel/limited-counter.ts';
import type {
  SessionAnswer,
  SessionBatch,
  SessionRequest,
  SessionTask,
} from '../src/core/tasks/protocol.ts';

export interface WorkerSessionsOptions<T extends SessionBatch> {
  readonly pool: Piscina;
  readonly transfer: (batch: T) => readonly ArrayBuffer[];
  readonly threads: number;
  readonly queue: CounterLimits;
  readonly idleMs: number;
  readonly hungMs: number;
  readonly onHung: () => void;
  readonly full: () => Error;
  readonly closed: () => Error;
}

interface SessionRequestPending<T, R> {
  readonly task: T;
  readonly holder: string;
  readonly answered: (result: R) => void;
  readonly failed: (error: Error) => void;
}

export class WorkerSessions<T extends SessionBatch, R> {
  readonly #options: WorkerSessionsOptions<T>;
  readonly #sessions = new Set<WorkerSession<T, R>>();
  readonly #waiting: FairLine<SessionRequestPending<T, R>>;
  #isClosed = false;

  constructor(options: WorkerSessionsOptions<T>) {
    this.#options = options;
    this.#waiting = new FairLine(options.queue);
  }

  get queued(): number {
    return this.#waiting.size;
  }

  /**
   * The task's arrays are transferred. Rejects with the signal's reason on abort: the thread
   * notices by itself.
   */
  ask(task: T, { signal, holder = '' }: Asker = {}): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw this.#options.closed();
      if (signal?.aborted) throw signal.reason;
      const giveUp = (): void => this.#giveUp(asked, signal?.reason as Error);
      const asked: SessionRequestPending<T, R> = {
        task,
        holder,
        answered: (result) => {
          signal?.removeEventListener('abort', giveUp);
          resolve(result);
        },
        failed: (error) => {
          signal?.removeEventListener('abort', giveUp);
          reject(error);
        },
      };
      this.#place(asked);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { failed } of this.#waiting.clear()) failed(this.#options.closed());
    await Promise.all([...this.#sessions].map((session) => session.end()));
  }

  #place(asked: SessionRequestPending<T, R>): void {
    const { threads, full } = this.#options;
    for (const session of this.#sessions) {
      if (session.isFree) {
        session.answer(asked);
        return;
      }
    }
    if (this.#sessions.size < threads) this.#begin().answer(asked);
    else if (this.#waiting.push(asked.holder, asked) !== null) throw full();
  }

  #begin(): WorkerSession<T, R> {
    const session = new WorkerSession<T, R>(this.#options, {
      onFree: () => {
        const next = this.#waiting.shift();
        if (next !== undefined) session.answer(next);
      },
      onEnd: () => {
        this.#sessions.delete(session);
        const next = this.#waiting.shift();
        if (next !== undefined) this.#begin().answer(next);
      },
    });
    this.#sessions.add(session);
    return session;
  }

  #giveUp(asked: SessionRequestPending<T, R>, reason: Error): void {
    if (!this.#waiting.remove(asked.holder, asked)) {
      for (const session of this.#sessions) session.giveUp(asked);
    }
    asked.failed(reason);
  }
}

interface WorkerSessionCalls {
  readonly onFree: () => void;
  readonly onEnd: () => void;
}

class WorkerSession<T extends SessionBatch, R> {
  readonly #port: MessagePort;
  readonly #transfer: WorkerSessionsOptions<T>['transfer'];
  readonly #calls: WorkerSessionCalls;
  readonly #over: Promise<void>;
  /** Shared with the thread: not 0 once the caller no longer waits. */
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #idle: NodeJS.Timeout;
  readonly #hungMs: number;
  readonly #onHung: () => void;
  readonly #hung = new AbortController();
  #givenUp: NodeJS.Timeout | undefined;
  #sentContext: T['context'] | null = null;
  #asked: SessionRequestPending<T, R> | null = null;
  #isEnding = false;

  constructor(
    { pool, idleMs, hungMs, onHung, transfer }: WorkerSessionsOptions<T>,
    calls: WorkerSessionCalls,
  ) {
    this.#transfer = transfer;
    this.#calls = calls;
    this.#hungMs = hungMs;
    this.#onHung = onHung;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (answer: SessionAnswer<R>) => this.#take(answer));
    const task: SessionTask = { port: port2, cancelled: this.#cancelled };
    const { signal } = this.#hung;
    this.#over = pool.run(task, { transferList: [port2], signal }).then(
      () => this.#ended(new Error('The session of a thread was over.')),
      (error: unknown) => this.#ended(error as Error),
    );
    this.#idle = setTimeout(() => void this.end(), idleMs).unref();
  }

  get isFree(): boolean {
    return this.#asked === null && !this.#isEnding;
  }

  answer(asked: SessionRequestPending<T, R>): void {
    const { context, ...task } = asked.task;
    const order: SessionRequest<T> = {
      task,
      context: this.#sentContext === context ? null : context,
    };
    Atomics.store(this.#cancelled, 0, 0);
    try {
      this.#port.postMessage(order, this.#transfer(asked.task));
    } catch (error) {
      asked.failed(error as Error);
      this.#calls.onFree();
      return;
    }
    this.#asked = asked;
    this.#sentContext = context;
    this.#port.ref();
  }

  /** The thread continues until it checks; the next batch waits for that. */
  giveUp(asked: SessionRequestPending<T, R>): void {
    if (this.#asked !== asked) return;
    Atomics.store(this.#cancelled, 0, 1);
    this.#givenUp = setTimeout(() => {
      this.#onHung();
      this.#hung.abort();
    }, this.#hungMs).unref();
  }

  /** After the current batch. Resolves when the thread is returned. */
  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#asked === null) this.#port.close();
    await this.#over;
  }

  #take(answer: SessionAnswer<R>): void {
    const asked = this.#asked;
    this.#asked = null;
    clearTimeout(this.#givenUp);
    this.#port.unref();
    if (this.#isEnding) this.#port.close();
    this.#idle.refresh();
    if ('error' in answer) asked?.failed(answer.error);
    else asked?.answered(answer.result);
    if (!this.#isEnding) this.#calls.onFree();
  }

  #ended(error: Error): void {
    this.#isEnding = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#givenUp);
    this.#port.close();
    this.#asked?.failed(error);
    this.#asked = null;
    this.#calls.onEnd();
  }
}
