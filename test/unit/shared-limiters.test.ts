/** Limits that threads share: never passed, and reached. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { WHOLE_SHARE, burstRate } from '../../src/kernel/burst.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { forgetThread, sharedLimiters } from '../../src/kernel/limiters.ts';
import { isHeavy } from '../support/run-settings.ts';
import type { ThreadData, Work } from '../support/limiter-thread.ts';

const THREADS = 4;
/** The last is this test's own. */
const memory = createLimiterMemory(THREADS + 2);
const own = sharedLimiters(memory, THREADS + 1);
const seen = new SharedArrayBuffer(1_024);
const witness = new Int32Array(seen);

function threadOf(thread: number, threads: number): Worker {
  const workerData: ThreadData = { memory, seen, thread, threads };
  return new Worker(new URL('../support/limiter-thread.ts', import.meta.url), { workerData });
}

const answerOf = <T>(worker: Worker): Promise<T> =>
  once(worker, 'message').then(([answer]) => answer as T);

const workers = Array.from({ length: THREADS }, (_, thread) => threadOf(thread, THREADS));
afterAll(() => Promise.all(workers.map((worker) => worker.terminate())));

/** What each thread says of work that all begin together. */
async function all<T>(work: Work): Promise<T[]> {
  witness.fill(0);
  const answers = workers.map((worker) => answerOf<T>(worker));
  for (const worker of workers) worker.postMessage(work);
  return await Promise.all(answers);
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((left, right) => left + right, 0);
const mostSeen = (): number[] => [...witness].filter((_, at) => at > 2 && at % 2 === 1);

describe('four threads', () => {
  test('let exactly as many in as one holder and all may have', async () => {
    const counts = await all<number[]>('fill');
    const [a = 0, b = 0, c = 0] = [0, 1, 2].map((of) => sum(counts.map((each) => each[of] ?? 0)));
    expect(a).toBeLessThanOrEqual(50);
    expect(b).toBeLessThanOrEqual(50);
    expect(a + b + c).toBe(120);
    for (let thread = 0; thread < THREADS; thread += 1) forgetThread(memory, thread);
  });

  test('have room again for all that left', async () => {
    await all('comeAndGo');
    expect(Math.max(...mostSeen())).toBe(3);
    const counter = own.counter('connections of addresses', { each: 3, total: 40 });
    expect(Array.from({ length: 20 }, (_, at) => counter.countOf(`h${at}`))).toEqual(
      Array.from({ length: 20 }, () => 0),
    );
    for (let n = 0; n < 40; n += 1) expect(counter.add(`n${n}`)).toBe(null);
    expect(counter.add('another')).toBe('total');
  });

  test('pass no limit where the memory has room for fewer holders than come', async () => {
    const done = await all<number>('crowd');
    expect(Math.max(...mostSeen())).toBeLessThanOrEqual(2);
    expect(sum(done)).toBeGreaterThan(1_000);
  });

  test('refuse a holder that their memory has no room for, until one has left', () => {
    const limiters = sharedLimiters(createLimiterMemory(2), 0);
    const counter = limiters.counter('held answers', { each: 2, total: 1_000 });
    const all = Array.from({ length: 20 }, (_, n) => counter.add(`h${n}`));
    expect(all.filter((full) => full === 'total')).toHaveLength(4);
    counter.remove('h0');
    expect([counter.add('h19'), counter.countOf('h0')]).toEqual([null, 0]);
  });

  test('give each newcomer one bucket', async () => {
    const taken = await all<number[]>('newcomers');
    const sums = taken[0]?.map((_, n) => sum(taken.map((each) => each[n] ?? 0)));
    expect(new Set(sums)).toEqual(new Set([3]));
  });

  test('let no window be passed by time', async () => {
    // A thread may have to wait between its look at the clock and its take, which was before the second look.
    const moments = (await all<[number, number][]>('windows')).flat().sort(([a], [b]) => a - b);
    expect(moments.length).toBeGreaterThanOrEqual(60);
    for (let n = 60; n < moments.length; n += 1) {
      const latest = Math.max(...moments.slice(n - 60, n + 1).map(([, after]) => after));
      expect(latest - moments[n - 60]![0]).toBeGreaterThanOrEqual(20);
    }
  });

  test('use exactly the units of a period', async () => {
    expect(sum(await all<number>('sum'))).toBe(333);
  });

  test('work on so many at a time, and on all', async () => {
    await all('permits');
    expect(witness[3]).toBe(3);
    expect(own.permits('live answers', 3, 'host').taken).toBe(0);
  });

  test('read whole shares', async () => {
    expect(await all('shares')).toEqual([0, 0, 0, 0]);
  });
});

test('what a killed thread had is free again, and wakes who waits for it', async () => {
  witness.fill(0);
  const killed = threadOf(THREADS, 1);
  const holding = answerOf(killed);
  killed.postMessage('hold' satisfies Work);
  await holding;
  const counter = own.counter('requests of accounts', { each: 50, total: 120 });
  const permits = own.permits('workbooks', 1);
  expect(counter.countOf('a')).toBe(20);
  expect(permits.take()).toBe(false);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  permits.whenGiven(() => resolve(undefined));
  const outage = own.outages.during(1);
  await killed.terminate();
  forgetThread(memory, THREADS);
  await promise;
  expect(permits.take()).toBe(true);
  permits.give();
  expect([counter.countOf('a'), counter.countOf('b')]).toEqual([0, 0]);
  for (let n = 0; n < 50; n += 1) expect(counter.add('a')).toBe(null);
  expect(counter.add('a')).toBe('each');
  expect(counter.add('b', 70)).toBe('each');
  for (const holder of ['c', 'd']) expect(counter.add(holder, 35)).toBe(null);
  expect(counter.add('e')).toBe('total');
  own.outages.over();
  expect(own.outages.during(2)).toBe(outage + 1);
});

test('while a stopped thread has a lock all is refused, until it is forgotten', () => {
  const two = createLimiterMemory(2);
  const first = sharedLimiters(two, 0);
  const counter = first.counter('extracts', { each: 1, total: 2 });
  const bucket = first.buckets('map keys')('a');
  const window = first.windows('clients of public keys', { limit: 1, windowMs: 10 })('a');
  const day = first.sums('days of visitors', 1_000)('a');
  const rate = burstRate(5);
  const limits: Readonly<Record<string, () => boolean>> = {
    'counters extracts': () => counter.add('a') === null,
    'buckets map keys': () => bucket.take(rate, WHOLE_SHARE, 100) === 0,
    'windows clients of public keys': () => window.take(WHOLE_SHARE, 100) === 0,
    'sums days of visitors': () => day.take(1, 9, 100),
  };
  for (const name of Object.keys(limits)) new Int32Array(two.tables[name]!)[0] = 2;
  for (let n = 0; n < 200; n += 1)
    for (const take of Object.values(limits)) expect(take()).toBe(false);
  forgetThread(two, 1);
  for (const take of Object.values(limits)) expect(take()).toBe(true);
  expect([counter.add('a'), counter.add('b')]).toEqual(['each', null]);
});

test('a thread that is killed anywhere leaves nothing behind', async () => {
  const counter = own.counter('requests of pages', { each: 5, total: 60 });
  const holders = Array.from({ length: 97 }, (_, n) => `h${n}`);
  for (let kill = 0; kill < (isHeavy ? 200 : 3); kill += 1) {
    witness.fill(0);
    const killed = threadOf(THREADS, 1);
    const begun = answerOf(killed);
    killed.postMessage('churn' satisfies Work);
    await begun;
    const endMs = performance.now() + (kill % 20);
    for (let n = 0; performance.now() < endMs; n += 1) {
      const of = holders[n % 97]!;
      if (counter.add(of) === null) counter.remove(of);
    }
    await killed.terminate();
    forgetThread(memory, THREADS);
    expect(holders.filter((of) => counter.countOf(of) !== 0)).toEqual([]);
    const twelve = holders.slice(0, 12).flatMap((of) => [of, of, of, of, of]);
    expect(twelve.filter((of) => counter.add(of) !== null)).toEqual([]);
    expect(counter.add('h13')).toBe('total');
    for (const of of twelve) counter.remove(of);
  }
});
