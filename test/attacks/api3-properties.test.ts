/** OWASP API3:2023, broken object property level authorization: nothing more is taken or told. */
import { expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import { attacked } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
const mallory = await service.customer('free');

const WANTED = { name: 'Min nøgle', environment: 'live' };

test('nothing told of a key or an account holds a digest, and a secret is told once', async () => {
  const made = await mallory.browser.ask({ method: 'POST', url: '/v1/me/keys', payload: WANTED });
  const { key } = made.json<{ key: { secret: string; id: string } }>();
  const { rows } = await service.store.pool.query<{ hash: Buffer }>(
    'select hash from api_key where id = $1',
    [key.id],
  );
  const digest = rows[0]!.hash;
  for (const url of ['/v1/me', '/v1/me/keys']) {
    const { body } = await mallory.browser.ask({ url });
    for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const) {
      expect(body).not.toContain(digest.toString(form));
    }
    expect(body).not.toContain(key.secret);
    expect(body).not.toContain('hash');
  }
});

test('a customer’s own page changes neither plan nor cap nor role', async () => {
  for (const method of ['PUT', 'PATCH', 'POST', 'DELETE'] as const) {
    const payload = { tier: 'business', operator: true, cap_units: 1e9 };
    const answer = await mallory.browser.ask({ method, url: '/v1/me', payload });
    expectError(answer, 'method_not_allowed');
  }
});
