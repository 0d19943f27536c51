/** OWASP API8:2023, security misconfiguration: headers, methods, sharing, and what errors give away. */
import { expect, test } from 'vitest';
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
