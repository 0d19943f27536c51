/** A few requests of one account a turn of the event loop, in their order, and others between them. */
import { expect, test } from 'vitest';
import { createFairScheduler } from '../../src/http/plugins/concurrency.ts';

const RULES = { few: 2, many: 4, sharedMs: 1_000, waiting: 10 };
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

type FairScheduler = ReturnType<typeof createFairScheduler>;

/** Begins them all in this turn; how many have begun now, and after each of some turns. */
async function begunBy(scheduler: FairScheduler, accounts: readonly string[], turns: number) {
  const begun: string[] = [];
  accounts.forEach((account, n) => scheduler.begin(account, () => begun.push(`${account}${n}`)));
  const counts = [begun.length];
  for (let n = 0; n < turns; n += 1) {
    await turn();
    counts.push(begun.length);
  }
  return { begun, counts };
}

test('an account that is alone begins many a turn, and the rest follow in order', async () => {
  const scheduler = createFairScheduler(RULES, () => 0);
  const { begun, counts } = await begunBy(scheduler, Array<string>(11).fill('a'), 3);
  expect(counts).toEqual([4, 8, 11, 11]);
  expect(begun).toEqual(Array.from({ length: 11 }, (_, n) => `a${n}`));
});

test('beside another each begins few, and the other does not wait for those before it', async () => {
  const scheduler = createFairScheduler(RULES, () => 0);
  await begunBy(scheduler, ['b'], 2);
  const { begun, counts } = await begunBy(scheduler, ['a', 'a', 'a', 'a', 'a', 'b'], 3);
  expect(counts).toEqual([3, 5, 6, 6]);
  expect(begun.slice(0, 3)).toEqual(['a0', 'a1', 'b5']);
});

test('some time after the last of another an account is alone again', async () => {
  let nowMs = 0;
  const scheduler = createFairScheduler(RULES, () => nowMs);
  await begunBy(scheduler, ['b', 'a'], 2);
  nowMs = 999;
  expect((await begunBy(scheduler, ['a', 'a', 'a'], 1)).counts).toEqual([2, 3]);
  nowMs = 1_000;
  await begunBy(scheduler, ['a'], 1);
  expect((await begunBy(scheduler, ['a', 'a', 'a'], 1)).counts).toEqual([3, 3]);
});

test('who comes goes behind who waits', async () => {
  const scheduler = createFairScheduler({ ...RULES, few: 1, many: 1 });
  const begun: string[] = [];
  const begin = (what: string) => scheduler.begin(what[0]!, () => begun.push(what));
  for (const what of ['a1', 'a2', 'a3']) begin(what);
  await turn();
  begin('a4');
  expect(begun).toEqual(['a1', 'a2']);
  await turn();
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('past those that may wait an account is told to come back, and another is not', () => {
  const scheduler = createFairScheduler({ ...RULES, many: 1, waiting: 2 });
  const come = () => scheduler.begin('a', () => undefined);
  for (let n = 0; n < 3; n += 1) come();
  expect(come).toThrow(expect.objectContaining({ type: 'overloaded', retryAfterS: 1 }));
  expect(() => scheduler.begin('b', () => undefined)).not.toThrow();
});
