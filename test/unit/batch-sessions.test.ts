/** Batch threads that hang: ended and replaced, and other batches answered. */
import { Piscina } from 'piscina';
import { afterAll, expect, test } from 'vitest';
import { WorkerSessions } from '../../workers/sessions.ts';

const pool = new Piscina({
  filename: new URL('../support/hanging-session.ts', import.meta.url).href,
  ...{ minThreads: 0, maxThreads: 1 },
});
pool.on('error', () => undefined);
const sessions = new WorkerSessions<{ n: number; context: object }, number>({
  ...{ pool, threads: 1, hungMs: 200, idleMs: 60_000 },
  queue: { each: 8, total: 8 },
  transfer: () => [],
  full: () => new Error('full'),
  closed: () => new Error('closed'),
});
afterAll(async () => {
  await sessions.close();
  await pool.destroy();
});

const ask = (n: number, signal?: AbortSignal) =>
  sessions.ask({ n, context: {} }, signal && { signal });

test('a batch that never ends costs its thread, and the next is answered', async () => {
  expect(await ask(1)).toBe(1);
  const hanging = ask(0, AbortSignal.timeout(100));
  const next = ask(2);
  await expect(hanging).rejects.toThrow(/timeout/);
  expect(await next).toBe(2);
  expect(await ask(3)).toBe(3);
});
