/** OWASP API1:2023, broken object level authorization: ids of others open nothing. */
import { beforeAll, expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import { attacked } from './attacked.ts';
import type { Customer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
let mallory: Customer;
let alice: Customer;
beforeAll(async () => {
  [mallory, alice] = [await service.customer(), await service.customer()];
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
