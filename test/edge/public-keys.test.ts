/** Operations that take public keys: asked by pages, from their own origins, readable by all. */
import { describe, expect, test } from 'vitest';
import { keptAccess } from './access.ts';
import { toldAddresses } from './address-edge.ts';
import { FOR_PAGES, operationsOf, requestOf } from './documented.ts';
import { expectError, sharedApp } from './edge.ts';

const KEY = 'svc_pub_live_page';
const ORIGIN = 'https://a.example.dk';
/** An operation for pages, and one for servers. */
const PAGES = '/v1/postnumre';
const SERVERS = '/v1/adresser/reverse?x=650000&y=6300000&srid=25832';

const access = keptAccess({
  [KEY]: { kind: 'public', permission: 'restricted:adresser', origins: ['*.example.dk'] },
});
const app = await sharedApp({ access, addresses: toldAddresses() });

const from = (origin: string) => ({ origin, authorization: `Bearer ${KEY}` });

// That it opens no operation for servers: adresser.test.ts.
describe('a public key', () => {
  test('answers its own pages, by header or parameter, by Origin or Referer', async () => {
    expect((await app.inject({ url: PAGES, headers: from(ORIGIN) })).statusCode).toBe(200);
    const headers = { referer: `${ORIGIN}/side?x=1` };
    expect((await app.inject({ url: `${PAGES}?token=${KEY}`, headers })).statusCode).toBe(200);
  });

  // Which origins are which: test/unit/origins.test.ts.
  test.each<[of: string, headers: Record<string, string>]>([
    ['another page', from('https://example.dk.evil.com')],
    ['a page that hides its origin', { referer: `${ORIGIN}/`, ...from('null') }],
    ['nobody who says where from', { authorization: `Bearer ${KEY}` }],
  ])('answers not %s', async (_, headers) => {
    const answer = await app.inject({ url: PAGES, headers });
    expect(expectError(answer, 'origin_not_allowed')['code']).toBe('origin_not_allowed');
  });

  test('is told of its limit per address', async () => {
    const { headers } = await app.inject({ url: PAGES, headers: from(ORIGIN) });
    expect(headers['ratelimit']).toContain('"address";r=59;t=1');
    expect(headers['ratelimit-policy']).toContain('"address";q=60;w=60');
  });
});

describe('a browser', () => {
  test('may read the answers of operations for pages, refusals included, and no others', async () => {
    const allowed = async (url: string, headers: Record<string, string>) =>
      (await app.inject({ url, headers })).headers['access-control-allow-origin'];
    for (const headers of [from(ORIGIN), from('null'), {}]) {
      expect(await allowed(PAGES, headers)).toBe('*');
    }
    expect(await allowed(SERVERS, from(ORIGIN))).toBeUndefined();
    const { headers: told } = await app.inject({ url: PAGES, headers: from(ORIGIN) });
    // What a page has to know of an answer; the others a browser lets it read by itself.
    expect(String(told['access-control-expose-headers']).split(', ').sort()).toEqual([
      ...['Age', 'Cache-Status', 'ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
      ...['X-Request-Id', 'X-Service-Data-Age', 'X-Service-Environment', 'X-Service-Generation'],
      ...['X-Service-Partial', 'X-Service-Stale', 'X-Service-Status-Source', 'X-Service-Units'],
    ]);
    expect(told['access-control-allow-credentials']).toBeUndefined();
  });

  test('is given leave to send the key as a header', async () => {
    const preflight = (url: string) => app.inject({ method: 'OPTIONS', url });
    const leave = await preflight(PAGES);
    expect(leave.statusCode).toBe(204);
    expect(leave.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
    });
    // As clients of DAWA send them (../shared/cases/cors-preflight.http).
    expect(String(leave.headers['access-control-allow-headers']).split(', ')).toEqual(
      expect.arrayContaining([
        ...['Authorization', 'Accept-Language', 'X-Request-Id', 'X-Requested-With'],
        ...['Content-Type', 'Cache-Control'],
      ]),
    );
  });

  test('is given leave before it asks where it is with the answer, at every path', async () => {
    const readable: string[] = [];
    for (const operation of operationsOf(app.swagger())) {
      const asked = { method: operation.method as 'get', url: requestOf(operation).url };
      const answer = await app.inject({ ...asked, headers: { origin: ORIGIN } });
      const allowed = answer.headers['access-control-allow-origin'];
      const preflight = await app.inject({ ...asked, method: 'OPTIONS' });
      expect(preflight.statusCode, asked.url).toBe(204);
      expect(preflight.headers['access-control-allow-origin'], asked.url).toBe(allowed);
      if (allowed !== undefined) readable.push(operation.path);
    }
    expect(readable).toEqual(FOR_PAGES);
  });
});
