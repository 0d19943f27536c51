/** Measured processes: started, given tasks, asked what they used, ended. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './load.ts';
import type { Cleanup } from './store.ts';
import type { Tasks } from './tasks.ts';

type Input<K extends keyof Tasks> = Parameters<Tasks[K]>[0];
type Output<K extends keyof Tasks> = Awaited<ReturnType<Tasks[K]>>;

/** What a parent sends. */
export interface TaskMessage<K extends keyof Tasks = keyof Tasks> {
  readonly task: K;
  readonly input: Input<K>;
}

/** A process of its own, so that what it does has its own clock, memory and processor time. */
export class MeasuredProcess {
  readonly #child: ChildProcess;

  /** `cleanup` ends it, if it has not been ended before. */
  constructor(cleanup: Cleanup) {
    // Requests laid out beforehand are sent as bytes.
    const options = { serialization: 'advanced', stdio: 'inherit' } as const;
    this.#child = fork(join(import.meta.dirname, 'child.ts'), options);
    cleanup.defer(() => this.end());
  }

  /** Does a task there; throws when the process ends before it has answered. */
  async run<K extends keyof Tasks>(task: K, input: Input<K>): Promise<Output<K>> {
    const answered = new AbortController();
    const { signal } = answered;
    const ended = once(this.#child, 'exit', { signal }).then(([code]) => {
      throw new Error(`The process for ${task} ended with ${String(code)}.`);
    });
    ended.catch(() => undefined);
    const message = once(this.#child, 'message', { signal });
    this.#child.send({ task, input } satisfies TaskMessage<K>);
    try {
      const [output] = (await Promise.race([message, ended])) as [Output<K>];
      return output;
    } finally {
      answered.abort();
    }
  }

  /** Lets it close what it opened and waits until it is gone. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    if (this.#child.connected) this.#child.disconnect();
    await gone;
  }
}

/** One task in a process of its own, which is gone when it has answered. */
export async function runElsewhere<K extends keyof Tasks>(
  task: K,
  input: Input<K>,
): Promise<Output<K>> {
  await using cleanup = new AsyncDisposableStack();
  return await new MeasuredProcess(cleanup).run(task, input);
}

/** For a client in another process to get going, and how much longer than the others it goes on. */
const HEAD_START_MS = 1_000;

/** What `work` finds while a client in another process sends without pause; `workMs`: how long it takes. */
export async function besideClient<T>(
  load: Omit<Load, 'durationMs'>,
  workMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const client = runElsewhere('drive', { ...load, durationMs: workMs + 2 * HEAD_START_MS });
  await sleep(HEAD_START_MS);
  const result = await work();
  await client;
  return result;
}
