/** Batch threads that hang: ended and replaced, and other batches answered. */
import { afterAll, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { createWorkers } from '../../workers/pool.ts';

const workers = createWorkers({ threads: 1, batchHungMs: 200 });
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
});
