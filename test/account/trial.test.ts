/** Keys of the open trial, in a real store. */
import { expect, test } from 'vitest';
import { keyStateOf, mintFirstKey } from '../../src/account/first-key.ts';
import { isTrial } from '../../src/account/principal.ts';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { sharedStore } from '../support/store.ts';
import { accountBench, turnedClock } from './accounts-fixture.ts';
import type { AccountBench } from './accounts-fixture.ts';

const store = await sharedStore();

test('are the same for a while, work in every process and end by themselves', async () => {
  const clock = turnedClock();
  const [one, other]: AccountBench[] = [accountBench(store, clock), accountBench(store, clock)];
  const first = await one!.trial.key();
  expect(await one!.trial.key()).toBe(first);
  expect(first.key).toMatchObject({
    kind: 'secret',
    environment: 'test',
    permission: 'restricted:bbr,dagi,natur,adresser,dhm,stednavne,vurdering,miljoe',
  });
  const principal = await other!.find(first.secret);
  expect(principal !== null && isTrial(principal)).toBe(true);
  // One account for all processes; a key of its own for each.
  expect((await other!.trial.key()).key.accountId).toBe(first.key.accountId);
  clock.turn(ACCOUNT_LIMITS.trialKeyMs.whole - ACCOUNT_LIMITS.trialKeyMs.least + 1);
  const next = await one!.trial.key();
  expect(next.key.id).not.toBe(first.key.id);
  expect(await other!.find(first.secret)).not.toBeNull();
  clock.turn(ACCOUNT_LIMITS.trialKeyMs.least);
  expect(await other!.find(first.secret)).toBeNull();
});

test('are nobody’s account: the first key is still made', async () => {
  const clock = turnedClock();
  expect(await keyStateOf(store, clock)).toEqual({ account: null, hasKey: false });
  expect(await mintFirstKey(store, clock)).toMatch(/^svc_test_/);
  const account = 'proevekonto@localhost';
  expect(await keyStateOf(store, clock)).toEqual({ account, hasKey: true });
});

test('end where an operator closes the account, and are not made again', async () => {
  const bench = accountBench(store);
  const { key, secret } = await bench.trial.key();
  await bench.accounts.close(key.accountId);
  expect(await bench.find(secret)).toBeNull();
  const { trial } = accountBench(store);
  await expect(trial.key()).rejects.toMatchObject({ type: 'conflict' });
});
