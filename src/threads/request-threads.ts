/**
 * The request threads beside the first: started, replaced when one ends by itself, stopped in order. What they
 * do is the file's that they run.
 */
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { MEMORY_MIB } from '../kernel/thread-plan.ts';
import { sentenceOf } from '../kernel/log.ts';
import type { Log } from '../kernel/log.ts';
import { answerQuestions } from './ask.ts';
import type { FeedEnd, Leader } from './feed.ts';
import { THREAD_LIMITS } from './limits.ts';
import { MemoryWatch, heapLimits } from './memory-watch.ts';

/** Of a thread, as `workerData`. */
export interface ThreadSetup<S> {
  /** From 1; the first thread of the process is 0. A thread that replaces another has its number. */
  readonly number: number;
  readonly feed: FeedEnd;
  readonly questions: MessagePort;
  readonly settings: S;
}

/** To the first thread. */
export type FromThread<R> =
  | { readonly kind: 'listening' }
  | { readonly kind: 'report'; readonly report: R }
  | { readonly kind: 'failed'; readonly message: string };

/** To the others. `read`: their last report was read. */
export type ToThread = { readonly kind: 'migrated' | 'stop' | 'read' };

export interface RequestThreadsParts<S, R, E> {
  readonly file: URL;
  /** Beside the first. */
  readonly count: number;
  readonly settings: S;
  /** Heap of each, MiB. */
  readonly heapMiB: number;
  /** Their environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly leader: Leader;
  /** What the first thread answers, by name. */
  readonly services: Readonly<Record<string, object>>;
  /** What is kept of a report once its thread has ended. */
  readonly merge: (kept: E | null, ended: R) => E;
  /** Called when a thread has ended by itself, before another takes its number. */
  readonly onEnded: (number: number) => void;
  /** Called when a thread that hangs cannot be ended: its connections hang as long as the process lives. */
  readonly onStuck: (number: number) => void;
  readonly log: Log;
}

/** What the first thread knows of the others. */
export interface ReportsOf<R, E> {
  /** `ageS`: since the thread sent it. */
  readonly running: readonly (R & { readonly ageS: number })[];
  readonly ended: E | null;
  /** Threads ended because they hung. */
  readonly hung: number;
}

interface End {
  /** null: it did not say. */
  why: string | null;
  /** null: it threw none. */
  error: Error | null;
}

interface Running<R> {
  readonly worker: Worker;
  isListening: boolean;
  report: R | null;
  /** Looks since its last report. */
  silent: number;
}

/**
 * What a thread makes while it loads survives, so V8 makes the like in old memory from then on: each dead
 * request would keep the next one alive.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

export class RequestThreads<S, R extends object, E> {
  readonly #parts: RequestThreadsParts<S, R, E>;
  readonly #running = new Map<number, Running<R>>();
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];
  #kept: E | null = null;
  #hung = 0;
  #isMigrated = false;
  #looks: NodeJS.Timeout | null = null;
  readonly #memory = new MemoryWatch({ everyMs: THREAD_LIMITS.memory.requestsMs });

  constructor(parts: RequestThreadsParts<S, R, E>) {
    this.#parts = parts;
    this.#memory.add({
      threads: () => [...this.#running.values()].map(({ worker }) => worker),
      heapMiB: parts.heapMiB,
      cachesMiB: MEMORY_MIB.watched.caches,
      onEnd: (says) => this.#countEnded(`a request thread ${says}`),
    });
  }

  /** Of the threads that run, and what is kept of those that ended. */
  get reports(): ReportsOf<R, E> {
    const running = [...this.#running.values()].flatMap(({ report, silent }) =>
      report === null ? [] : [{ ...report, ageS: secondsOf(silent) }],
    );
    return { running, ended: this.#kept, hung: this.#hung };
  }

  /** Those that take connections. */
  get listening(): number {
    return [...this.#running.values()].filter(({ isListening }) => isListening).length;
  }

  /** Resolves when all listen, or the first attempt of one has ended. */
  async start(): Promise<void> {
    setFlagsFromString(NO_PRETENURING);
    this.#looks = setInterval(() => this.#look(), THREAD_LIMITS.reportMs).unref();
    this.#memory.begin();
    const first: Promise<void>[] = [];
    for (let number = 1; number <= this.#parts.count; number++) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      first.push(promise);
      this.#loops.push(this.#keep(number, () => resolve(undefined)));
    }
    const deadline = sleep(THREAD_LIMITS.startMs, undefined, { ref: false });
    await Promise.race([Promise.all(first), deadline]);
  }

  /** The schema is up to date. */
  migrated(): void {
    this.#isMigrated = true;
    this.#tell({ kind: 'migrated' });
  }

  /** Their reports were read: what they measure since then begins anew. */
  read(): void {
    this.#tell({ kind: 'read' });
  }

  /** Each answers what it has begun. Call before the first thread closes what they ask it for. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#tell({ kind: 'stop' });
    await Promise.all(this.#loops);
    clearInterval(this.#looks ?? undefined);
    this.#memory.end();
  }

  #tell(message: ToThread): void {
    for (const { worker } of this.#running.values()) worker.postMessage(message);
  }

  /** A machine that was paused, or has no time, is no silence: only looks count. */
  #look(): void {
    if (this.#stopping.signal.aborted) return;
    const { afterMs, endMs } = THREAD_LIMITS.hung;
    for (const [number, running] of this.#running) {
      if (!running.isListening) continue;
      running.silent += 1;
      const silentS = secondsOf(running.silent);
      if (silentS === afterMs / 1000) {
        const says = `request thread ${number} hangs: no report for ${silentS} s; it is ended`;
        this.#countEnded(says, number);
        void running.worker.terminate();
      } else if (silentS === (afterMs + endMs) / 1000) this.#parts.onStuck(number);
    }
  }

  #countEnded(says: string, thread?: number): void {
    this.#hung += 1;
    this.#parts.log.error({ component: 'threads', ...(thread !== undefined && { thread }) }, says);
  }

  /** One thread after the other under a number, until stopped. */
  async #keep(number: number, onFirst: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const { first, most } = THREAD_LIMITS.restartMs;
    let waitMs: number = first;
    const isStopping = (): boolean => signal.aborted;
    while (!isStopping()) {
      const startedMs = performance.now();
      const { why, error } = await this.#run(number, onFirst).catch(thrownBy);
      onFirst();
      if (isStopping()) return;
      this.#parts.onEnded(number);
      const livedMs = performance.now() - startedMs;
      waitMs = livedMs >= THREAD_LIMITS.settledMs ? first : waitMs;
      this.#parts.log.error(
        {
          ...{ component: 'threads', thread: number, livedS: Math.round(livedMs / 1000) },
          ...(error !== null && { err: error }),
        },
        `request thread ${number} ended: ${why}; its connections are lost, and another starts in ${waitMs} ms`,
      );
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(most, 2 * waitMs);
    }
  }

  /** Resolves with the reason when it has ended. */
  async #run(number: number, onListening: () => void): Promise<End> {
    const { port1: answers, port2: questions } = new MessageChannel();
    answerQuestions(answers, this.#parts.services);
    const feed = this.#parts.leader.join();
    try {
      const worker = this.#worker({ number, feed, questions });
      return await this.#follow(worker, { number, onListening });
    } finally {
      answers.close();
      feed.port.close();
    }
  }

  /** Throws where the system has no room for another thread. */
  #worker(of: Omit<ThreadSetup<S>, 'settings'>): Worker {
    const { file, settings, env, heapMiB } = this.#parts;
    const workerData: ThreadSetup<S> = { ...of, settings };
    const transferList = [of.feed.port, of.questions];
    return new Worker(file, {
      name: `requests-${of.number}`,
      env,
      resourceLimits: {
        maxYoungGenerationSizeMb: THREAD_LIMITS.youngMiB,
        ...heapLimits(heapMiB),
      },
      workerData,
      transferList,
    });
  }

  async #follow(
    worker: Worker,
    { number, onListening }: { readonly number: number; readonly onListening: () => void },
  ): Promise<End> {
    const running: Running<R> = { worker, isListening: false, report: null, silent: 0 };
    this.#running.set(number, running);
    if (this.#isMigrated) worker.postMessage({ kind: 'migrated' } satisfies ToThread);
    const end: End = { why: null, error: null };
    worker.on('message', (message: FromThread<R>) => {
      running.silent = 0;
      if (message.kind === 'report') running.report = message.report;
      else if (message.kind === 'failed') end.why = message.message;
      else {
        running.isListening = true;
        onListening();
      }
    });
    worker.on('error', (thrown) => Object.assign(end, thrownBy(thrown)));
    const code = await new Promise<number>((resolve) => worker.once('exit', resolve));
    this.#running.delete(number);
    if (running.report !== null) this.#kept = this.#parts.merge(this.#kept, running.report);
    return { ...end, why: end.why ?? `exit code ${code}` };
  }
}

function secondsOf(looks: number): number {
  return (looks * THREAD_LIMITS.reportMs) / 1000;
}

function thrownBy(thrown: unknown): End {
  return { why: sentenceOf(thrown), error: thrown instanceof Error ? thrown : null };
}
