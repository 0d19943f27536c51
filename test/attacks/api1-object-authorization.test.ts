/** OWASP API1:2023, broken object level authorization: ids of others open nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import { TEN, attacked, bearer } from './attacked.ts';
import type { Attacked, Customer } from './attacked.ts';

let service: Attacked;
let mallory: Customer;
let alice: Customer;
beforeAll(async () => {
  service = await attacked();
  [mallory, alice] = [await service.customer(), await service.customer()];
});
afterAll(() => service.close());

test('nobody revokes or replaces the key of another account, nor learns that it exists', async () => {
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/rotate'],
  ] as const) {
    const tried = (id: string) =>
      mallory.browser.ask({
        method,
        url: `/v1/me/keys/${id}${path}`,
        ...(method === 'POST' && { payload: {} }),
      });
    const theirs = expectError(await tried(alice.keyId), 'not_found');
    const nobodys = expectError(await tried('key_aaaaaaaaaaaaaaaaaaaa'), 'not_found');
    expect(theirs['error']).toBe(nobodys['error']);
  }
  const answer = await service.app.inject({ url: TEN, headers: bearer(alice.secret) });
  expect(answer.statusCode).toBe(200);
});

test('an account asked for by name is refused, not given', async () => {
  for (const url of ['/v1/me', '/v1/me/keys']) {
    for (const name of ['account', 'account_id', 'id', 'user']) {
      const answer = await mallory.browser.ask({ url: `${url}?${name}=${alice.id}` });
      expectError(answer, 'invalid_request');
      expect(answer.body).not.toContain(alice.id);
    }
  }
});

test('each sees its own keys alone', async () => {
  const { keys } = (await mallory.browser.ask({ url: '/v1/me/keys' })).json<{
    keys: { id: string }[];
  }>();
  expect(keys.map(({ id }) => id)).toEqual([mallory.keyId]);
});
