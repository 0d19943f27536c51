/** What the first thread announces is in force in all threads from that instant on. */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { Questions, answerQuestions } from '../../src/threads/ask.ts';
import { isOverShare } from '../../src/threads/balance.ts';
import { Leader } from '../../src/threads/feed.ts';
import type { FeedThreadSetup, Seen } from '../support/feed-thread.ts';

const ANNOUNCEMENTS = 10_000;

test('no thread reads an older state once a newer one is announced, in ten thousand of them', async () => {
  const leader = new Leader();
  const announced = new SharedArrayBuffer(8);
  const cells = new Int32Array(announced);
  leader.announce('state', { one: 0, other: 0 });
  const file = new URL('../support/feed-thread.ts', import.meta.url);
  const threads = [1, 2, 3].map(() => {
    const feed = leader.join();
    const setup: FeedThreadSetup = { feed, announced };
    return new Worker(file, { workerData: setup, transferList: [feed.port] });
  });
  await Promise.all(threads.map((thread) => once(thread, 'message')));
  const results = Promise.all(threads.map((thread) => once(thread, 'message')));
  for (let n = 1; n <= ANNOUNCEMENTS; n++) {
    leader.announce('state', { one: n, other: n });
    Atomics.store(cells, 0, n);
    if (n % 100 === 0) await turn();
  }
  Atomics.store(cells, 1, 1);
  for (const [seen] of (await results) as [Seen][]) {
    expect(seen.reads).toBeGreaterThan(1);
    expect(seen).toMatchObject({ late: 0, back: 0, mixed: 0 });
  }
  await Promise.all(threads.map((thread) => once(thread, 'exit')));
});

test('a question is answered by name, and a failure keeps its class', async () => {
  const { port1, port2 } = new MessageChannel();
  answerQuestions(port1, {
    sum: {
      of: (a: number, b: number) => a + b,
      fails: () => Promise.reject(new Failure('overloaded', { retryAfterS: 3 })),
      breaks: () => Promise.reject(new Error('broken')),
    },
  });
  interface Sum {
    of(a: number, b: number): number;
    fails(): Promise<void>;
    breaks(): Promise<void>;
    missing(): void;
  }
  const asked = new Questions(port2).of<Sum>('sum');
  await expect(asked.of(2, 3)).resolves.toBe(5);
  await expect(asked.fails()).rejects.toMatchObject({ type: 'overloaded', retryAfterS: 3 });
  await expect(asked.breaks()).rejects.toThrow('broken');
  await expect(asked.missing()).rejects.toThrow('No sum.missing is answered here.');
  port1.close();
});

test('a connection moves where this thread has no time left and others have', () => {
  const idle = { busy: 0.1, active: 0 };
  expect(isOverShare({ busy: 0.95, active: 2 }, [idle])).toBe(true);
  expect(isOverShare({ busy: 0.95, active: 1 }, [idle])).toBe(false);
  expect(isOverShare({ busy: 0.5, active: 9 }, [idle])).toBe(false);
  expect(isOverShare({ busy: 0.95, active: 9 }, [{ busy: 0.9, active: 0 }])).toBe(false);
  expect(isOverShare({ busy: 0.95, active: 9 }, [])).toBe(false);
});
