/** A few requests of one account a turn of the event loop, in their order, and others between them. */
import { expect, test } from 'vitest';
import { createTurnShare } from '../../src/http/plugins/turn-share.ts';
import { Failure } from '../../src/kernel/failures.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('an account begins so many a turn, and the rest follow in order', async () => {
  const share = createTurnShare({ perTurn: 2, waiting: 10 });
  const begun: number[] = [];
  for (let n = 1; n <= 7; n += 1) share.begin('a', () => begun.push(n));
  const seen = [begun.length];
  for (let n = 0; n < 4; n += 1) {
    await turn();
    seen.push(begun.length);
  }
  expect(seen).toEqual([2, 4, 6, 7, 7]);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('who comes goes behind who waits, and another account is begun at once', async () => {
  const share = createTurnShare({ perTurn: 1, waiting: 10 });
  const begun: string[] = [];
  const begin = (what: string) => share.begin(what[0]!, () => begun.push(what));
  for (const what of ['a1', 'a2', 'a3', 'b1']) begin(what);
  expect(begun).toEqual(['a1', 'b1']);
  await turn();
  begin('a4');
  begin('b2');
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2']);
  await turn();
  await turn();
  expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4']);
});

test('past those that may wait an account is told to come back', () => {
  const share = createTurnShare({ perTurn: 1, waiting: 2 });
  for (let n = 0; n < 3; n += 1) share.begin('a', () => undefined);
  let refusal: unknown;
  try {
    share.begin('a', () => undefined);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(Failure);
  expect(refusal).toMatchObject({ type: 'overloaded', retryAfterS: 1 });
  expect(() => share.begin('b', () => undefined)).not.toThrow();
});
