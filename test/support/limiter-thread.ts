/** A thread of tests of shared limits: does what it is told, and says what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { WHOLE_SHARE, burstRate } from '../../src/kernel/burst.ts';
import { Semaphore } from '../../src/kernel/semaphore.ts';
import type { LimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { sharedLimiters } from '../../src/kernel/limiters.ts';

export interface ThreadData {
  readonly memory: LimiterMemory;
  /** Counted up by a thread that is ready; then what tests look at. */
  readonly seen: SharedArrayBuffer;
  readonly thread: number;
  readonly threads: number;
}

const { memory, seen, thread, threads } = workerData as ThreadData;
const limiters = sharedLimiters(memory, thread);
const witness = new Int32Array(seen);
let seed = 1 + thread;

function random(below: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
}

/** Notes that a place is held, and the most that ever were. */
function enter(at: number): void {
  const held = Atomics.add(witness, 2 * at + 2, 1) + 1;
  for (;;) {
    const most = Atomics.load(witness, 2 * at + 3);
    if (held <= most || Atomics.compareExchange(witness, 2 * at + 3, most, held) === most) return;
  }
}

function leave(at: number): void {
  Atomics.sub(witness, 2 * at + 2, 1);
}

/** So that all begin together. */
function meet(): void {
  Atomics.add(witness, 0, 1);
  Atomics.notify(witness, 0);
  for (;;) {
    const ready = Atomics.load(witness, 0);
    if (ready >= threads) return;
    Atomics.wait(witness, 0, ready);
  }
}

const count = (times: number, isTaken: () => boolean): number => {
  let taken = 0;
  for (let n = 0; n < times; n += 1) if (isTaken()) taken += 1;
  return taken;
};

const rate = burstRate(500);

const WORK = {
  /** How many of many that never leave are let in: of one holder, and of all. */
  fill: () => {
    const counter = limiters.counter('requests of accounts', { each: 50, total: 120 });
    return ['a', 'b', 'c'].map((of) => count(500, () => counter.add(of) === null));
  },
  comeAndGo: () => {
    const counter = limiters.counter('connections of addresses', { each: 3, total: 40 });
    const held: number[] = [];
    for (let n = 0; n < 6_000; n += 1) {
      const at = random(20);
      if (counter.add(`h${at}`) === null) {
        enter(at);
        held.push(at);
      }
      const done = held.length > random(12) ? held.shift() : undefined;
      if (done === undefined) continue;
      leave(done);
      counter.remove(`h${done}`);
    }
    for (const at of held) {
      leave(at);
      counter.remove(`h${at}`);
    }
    return null;
  },
  /** The memory has room for 16 holders, of 60 that come and go. */
  crowd: () => {
    const counter = limiters.counter('held answers', { each: 2, total: 1_000 });
    return count(6_000, () => {
      const at = random(60);
      if (counter.add(`h${at}`) !== null) return false;
      enter(at);
      leave(at);
      counter.remove(`h${at}`);
      return true;
    });
  },
  /** New holders, which all threads meet at once. */
  newcomers: () => {
    const bucketOf = limiters.buckets('visitors');
    return Array.from({ length: 1_000 }, (_, n) => {
      const bucket = bucketOf(`v${n}`);
      return count(3, () => bucket.take({ size: 3, perMs: 0.001 }, WHOLE_SHARE, 5) === 0);
    });
  },
  windows: () => {
    const limit = { limit: 60, windowMs: 20 };
    const window = limiters.windows('clients of public keys', limit)('b');
    const moments: [number, number][] = [];
    const begin = limiters.monotonicMs();
    for (let now = begin; now < begin + 120; now = limiters.monotonicMs()) {
      if (window.take(WHOLE_SHARE, now) === 0) moments.push([now, limiters.monotonicMs()]);
    }
    return moments;
  },
  sum: () => {
    const day = limiters.sums('days of visitors', 1_000)('a');
    return count(2_000, () => day.take(3, 1_000, 100));
  },
  permits: async () => {
    const permits = limiters.permits('live answers', 3, 'host');
    const lines = new Semaphore(permits, { each: 500, total: 500 });
    const works = Array.from({ length: 60 }, () =>
      lines.run(
        'a',
        async () => {
          enter(0);
          await sleep(random(2));
          leave(0);
        },
        () => new Error('full'),
      ),
    );
    await Promise.all(works);
    return null;
  },
  hold: () => {
    const counter = limiters.counter('requests of accounts', { each: 50, total: 120 });
    const permits = limiters.permits('workbooks', 1);
    permits.take();
    limiters.outages.during(1);
    counter.add('a', 20);
    parentPort?.postMessage('holding');
    for (;;) {
      counter.add('b');
      counter.remove('b');
    }
  },
  /** Takes and gives back without an end, until it is ended. */
  churn: () => {
    const counter = limiters.counter('requests of pages', { each: 5, total: 60 });
    const bucketOf = limiters.buckets('map keys');
    parentPort?.postMessage('begun');
    for (let n = 0; ; n += 1) {
      const of = `h${n % 97}`;
      if (counter.add(of) === null) counter.remove(of);
      if (n % 50 === 0) bucketOf(`b${n}`).take(rate, WHOLE_SHARE, limiters.monotonicMs());
    }
  },
  shares: () => {
    let torn = 0;
    for (let n = 1; n < 5_000; n += 1) {
      if (thread === 0) limiters.share.write({ fraction: n, before: n, sinceMs: n });
      const { fraction, before, sinceMs } = limiters.share.read();
      if (fraction !== before || before !== sinceMs) torn += 1;
    }
    return torn;
  },
};

export type Work = keyof typeof WORK;

parentPort?.on('message', (work: Work) => {
  meet();
  void Promise.resolve<unknown>(WORK[work]()).then((result) => parentPort?.postMessage(result));
});
