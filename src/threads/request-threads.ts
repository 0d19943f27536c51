import { setFlagsFromString } from 'node:v8';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { MEMORY_MIB } from '../kernel/thread-plan.ts';
import { sentenceOf } from '../kernel/log.ts';
import type { Log } from '../kernel/log.ts';
import { within } from '../kernel/within.ts';
import { answerQuestions } from './ask.ts';
import type { FeedEnd, Leader } from './feed.ts';
import { THREAD_LIMITS } from './limits.ts';
import { MemoryWatch, heapLimits } from './memory-watch.ts';

export interface ThreadSetup<S> {
  /** From 1; a replacement keeps the number. */
  readonly number: number;
  readonly feed: FeedEnd;
  readonly questions: MessagePort;
  readonly settings: S;
}

export type FromThread<R> =
  | { readonly kind: 'listening' }
  | { readonly kind: 'report'; readonly report: R }
  | { readonly kind: 'failed'; readonly message: string };

/** `read`: the last report was read. */
export type ToThread = { readonly kind: 'migrated' | 'stop' | 'read' };

export interface RequestThreadsParts<S, R, E> {
  readonly file: URL;
  /** Threads without the first. */
  readonly count: number;
  readonly settings: S;
  readonly heapMiB: number;
  readonly env: NodeJS.ProcessEnv;
  readonly leader: Leader;
  readonly services: Readonly<Record<string, object>>;
  /** What a report leaves once its thread has ended. */
  readonly merge: (kept: E | null, ended: R) => E;
  /** Called before another thread takes the number. */
  readonly onEnded: (number: number) => void;
  /** Its connections hang as long as the process lives. */
  readonly onStuck: (number: number) => void;
  readonly log: Log;
}

export interface ReportsOf<R, E> {
  readonly running: readonly (R & { readonly ageS: number })[];
  readonly ended: E | null;
  readonly hung: number;
}

interface End {
  /** null: unknown. */
  why: string | null;
  /** null: it threw none. */
  error: Error | null;
}

interface Running<R> {
  readonly worker: Worker;
  isListening: boolean;
  report: R | null;
  silent: number;
}

/**
 * Objects created during loading survive, so V8 would allocate their like in old memory: each dead
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

  get reports(): ReportsOf<R, E> {
    const running = [...this.#running.values()].flatMap(({ report, silent }) =>
      report === null ? [] : [{ ...report, ageS: secondsOf(silent) }],
    );
    return { running, ended: this.#kept, hung: this.#hung };
  }

  get listening(): number {
    return [...this.#running.values()].filter(({ isListening }) => isListening).length;
  }

  /** Resolves when all listen, or one's first attempt has ended. */
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
    await within(THREAD_LIMITS.startMs, Promise.all(first), () => undefined);
  }

  migrated(): void {
    this.#isMigrated = true;
    this.#tell({ kind: 'migrated' });
  }

  read(): void {
    this.#tell({ kind: 'read' });
  }

  /** Call before the first thread closes what they ask it for. */
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

  /** Counts checks, not time: a paused or overloaded machine is not a silent thread. */
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
