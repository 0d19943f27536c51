/** OWASP API8:2023, security misconfiguration: headers, methods, sharing, and what errors give away. */
import { describe, expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import type { PublishedDocument } from '../edge/edge.ts';
import { TEN, attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
const alice = await service.customer();

/** What public keys may ask, and so any page may read (interface: Authentication). */
const FOR_PAGES = [
  '/v1/adresser',
  '/v1/adresser/autocomplete',
  '/v1/adresser/{id}',
  '/v1/datavask',
  '/v1/postnumre',
  '/v1/postnumre/{nr}',
  // Open to all, with nothing of anybody's in them.
  '/v1/status',
];

test('every operation answers without naming its maker, its types believed, its address kept', async () => {
  const { paths } = service.app.swagger() as unknown as PublishedDocument;
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods ?? {})) {
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const { headers } = await service.app.inject({ method: method.toUpperCase() as 'GET', url });
      expect(headers, path).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-request-id': expect.any(String) as string,
      });
      expect(headers['server']).toBeUndefined();
      expect(headers['x-powered-by']).toBeUndefined();
      const mayRead = FOR_PAGES.includes(path) ? '*' : undefined;
      expect(headers['access-control-allow-origin'], path).toBe(mayRead);
    }
  }
});

test('answers that depend on a key or a session are kept by no shared cache', async () => {
  const keyed = await service.app.inject({ url: TEN, headers: bearer(alice.secret) });
  expect(keyed.headers['cache-control']).toMatch(/^private/);
  for (const url of ['/v1/me', '/v1/me/keys']) {
    const answer = await alice.browser.ask({ url });
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

describe('an error', () => {
  test('tells no file, no line, no statement and no version', async () => {
    const broken = await attacked({
      status: () => Promise.reject(new Error('select secret from api_key at /srv/app/store.ts:7')),
    });
    const answer = await broken.app.inject('/v1/status');
    expect(answer.statusCode).toBeGreaterThanOrEqual(500);
    expect(answer.body).not.toMatch(/select|api_key at|\.ts|node_modules|stack|postgres/i);
    await broken.close();
  });

  test('is what TRACE, CONNECT-like and made-up methods get', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await service.app.inject({ method: method as 'GET', url: TEN });
      expect([404, 405], method).toContain(answer.statusCode);
      expect(answer.body).not.toContain('authorization');
    }
  });
});

test('a write of a session from another site is refused, whatever it brings along', async () => {
  const payload = { name: 'x', environment: 'live' };
  const write = (headers: Record<string, string>) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/me/keys',
      payload,
      headers: { host: 'geo.example', cookie: `svc_session=${alice.browser.token}`, ...headers },
    });
  const token = { 'x-csrf-token': alice.browser.csrfToken };
  expectError(await write({}), 'forbidden');
  expectError(await write({ 'x-csrf-token': 'guessed' }), 'forbidden');
  expectError(await write({ ...token, origin: 'https://evil.example' }), 'forbidden');
  expectError(await write({ ...token, origin: 'null' }), 'forbidden');
  expectError(await write({ ...token, 'sec-fetch-site': 'cross-site' }), 'forbidden');
  expect((await write(token)).statusCode).toBe(201);
});
