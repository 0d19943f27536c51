/** Threads of the pool that hang: ended, said and replaced, and what waits for them answered. */
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import type { Task } from '../support/hanging.thread.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { until } from '../support/until.ts';
import { createWorkers } from '../../workers/pool.ts';
import { TaskLine } from '../../workers/task-line.ts';
import { MemoryWatch } from '../../src/threads/memory-watch.ts';

/** By night a machine may be so busy that a thread takes seconds to load its files. */
const LIMIT_S = isHeavy ? 20 : 2;
const said: string[] = [];
const workers = createWorkers({
  ...{
    threads: 1,
    batchHungMs: 200,
    taskMs: { parse: 2_000, build: 60_000, other: 1_000 * LIMIT_S },
  },
  log: { error: (message) => said.push(message) },
});
const file = new URL('../support/hanging.thread.ts', import.meta.url);
const ask = workers.batches<{ n: number; context: object }, number>({
  file: new URL('../support/hanging-session.ts', import.meta.url),
  transfer: () => [],
  full: () => new Failure('overloaded'),
});
afterAll(() => workers.close());

const answerTo = (n: number, signal?: AbortSignal) =>
  ask({ n, context: {} }, { ...(signal && { signal }) });

test('a batch that never ends costs its thread, and the next is answered', async () => {
  expect(await answerTo(1)).toBe(1);
  const hanging = answerTo(0, AbortSignal.timeout(100));
  const next = answerTo(2);
  await expect(hanging).rejects.toThrow(/given up/);
  expect(await next).toBe(2);
  expect(await answerTo(3)).toBe(3);
  expect(said.splice(0)).toEqual([
    'a batch that was given up hangs: no end for 0.2 s; its thread is ended',
  ]);
});

const BY_NIGHT = ['spin', 'program', 'memory'] as const;
const HANGS = [
  ...[['spin', true] as const, ['wait', false] as const],
  ...BY_NIGHT.filter(() => isHeavy).map((hang) => [hang, false] as const),
];

test.each(HANGS)(
  'a task that hangs (%s; of maps: %s) costs its thread alone',
  async (hang, isOfMaps) => {
    const run = (task: Task) => workers.run<Task, unknown>({ file, isOfMaps }, task);
    const { hung } = workers.view().tasks;
    const hanging = run(hang);
    const next = run('end');
    await until(() => workers.view().tasks.oldestS >= 1);
    await expect(hanging).rejects.toMatchObject({ type: 'overloaded' });
    expect(await next).toBe('ended');
    expect(await run('end')).toBe('ended');
    expect(workers.view().tasks).toEqual({ hung: hung + 1, oldestS: 0 });
    expect(said.splice(0)).toEqual([
      `a task of hanging hangs: no progress for ${LIMIT_S} s; its thread is ended`,
    ]);
  },
);

const greedySaid: string[] = [];
const greedyPool = (moreMiB: number) =>
  createWorkers({
    ...{ threads: 1, taskMs: { parse: 0, build: 0, other: HANG_MS } },
    memory: { heapMiB: 32, processMiB: process.memoryUsage.rss() / 2 ** 20 + moreMiB },
    log: { error: (message) => greedySaid.push(message) },
  });
let greedy = greedyPool(8_000);
afterAll(() => greedy.close());

// V8 would end the process for a text or a table that passes its limit, and bounds no buffer.
test.each([
  ['objects', true, 'it may hold 32 MiB'],
  ['texts', true, 'it may hold 32 MiB'],
  ['table', true, 'it may hold 32 MiB'],
  ['buffers', true, 'it may hold 32 MiB'],
  // One that builds may hold half of the memory.
  ['buffers', false, 'the process has more than \\d+ MiB'],
] as const)(
  'one that takes more memory than it may (%s; of maps: %s) ends its thread alone',
  async (hoard, isOfMaps, why) => {
    if (!isOfMaps) {
      await greedy.close();
      greedy = greedyPool(300);
    }
    const { hung } = greedy.view().tasks;
    const run = (task: Task) => greedy.run<Task, unknown>({ file, isOfMaps }, task);
    const [hoarding, next] = [run(hoard), run('end')];
    await expect(hoarding).rejects.toMatchObject({ type: 'overloaded' });
    expect(await next).toBe('ended');
    expect(greedySaid.splice(0)).toEqual([
      expect.stringMatching(`^a thread of the pool takes \\d+ MiB, and ${why}; it is ended$`),
    ]);
    expect(greedy.view().tasks.hung).toBe(hung + 1);
  },
);

test('one that is given up while it waits costs no thread, and the others keep their order', async () => {
  const order: number[] = [];
  const naps = [1, 2, 3, 4].map(async (n) => {
    const signal = n === 3 ? AbortSignal.timeout(50) : undefined;
    await workers.run<Task, unknown>({ file }, 'nap', signal);
    order.push(n);
  });
  await expect(Promise.all(naps)).rejects.toMatchObject({ kind: 'aborted' });
  await Promise.allSettled(naps);
  expect([order, said]).toEqual([[1, 2, 4], []]);
});

test.concurrent('one that gets on takes as long as it takes', async () => {
  expect(await workers.run<Task, unknown>({ file }, 'steps')).toBe('ended');
  expect(said).toEqual([]);
});

test.concurrent('one that waits for a processor does not hang; one that waits for anything else does', async () => {
  const lines: string[] = [];
  let isRunnable = true;
  const line = new TaskLine({
    ...{ threads: 1, queue: 1, memory: new MemoryWatch({ everyMs: HANG_MS }) },
    log: { error: (message) => lines.push(message) },
    stateOf: () => ({ isRunnable, processorMs: 10 }),
  });
  const task = line.run({ name: 'a task', limitMs: 2_000 }, async (signal) => {
    await once(signal, 'abort');
    signal.throwIfAborted();
  });
  await until(() => line.view.oldestS >= 3);
  expect(lines).toEqual([]);
  isRunnable = false;
  await expect(task).rejects.toMatchObject({ type: 'overloaded' });
  expect(lines).toEqual(['a task hangs: no progress for 2 s; its thread is ended']);
});

test('tasks that wait for a thread do not hang', async () => {
  const slow = Array.from({ length: 40 }, () => workers.run<Task, unknown>({ file }, 'nap'));
  expect(await Promise.all(slow)).toEqual(Array.from({ length: 40 }, () => 'ended'));
  expect(said).toEqual([]);
});
