/** Operations that take public keys: asked by pages, from their own origins, readable by all. */
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, test } from 'vitest';
import { gatesOf, installAccess } from '../../src/http/plugins/access.ts';
import { installCors } from '../../src/http/plugins/cors.ts';
import { errorSender, installErrors } from '../../src/http/plugins/errors.ts';
import { shownKeysOf } from '../../src/http/plugins/metering.ts';
import { installRouteTable } from '../../src/http/plugins/route-table.ts';
import { installStandardHeaders } from '../../src/http/plugins/standard-headers.ts';
import { loadShell } from '../../src/http/pages/shell.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { keptAccess } from './access.ts';
import type { KeptAccess } from './access.ts';
import { OPTIONS } from './edge.ts';

const PAGE = 'svc_pub_live_page';
let access: KeptAccess;
let app: FastifyInstance;

/** An edge with one operation for pages and one for servers. */
beforeEach(async () => {
  access = keptAccess({
    [PAGE]: { kind: 'public', permission: 'restricted:adresser', origins: ['*.example.dk'] },
    svc_live_one: {},
  });
  app = Fastify();
  const table = installRouteTable(app);
  installStandardHeaders(app);
  installCors(app);
  const keys = shownKeysOf(null);
  installErrors(app, table, {
    send: errorSender(OPTIONS, { keys, shell: await loadShell() }),
    keys,
  });
  installAccess(app, gatesOf(access, null, localLimiters()));
  const schema = (operationId: string) => ({ operationId }) as object;
  app.get(
    '/pages',
    { schema: schema('pages'), config: { access: { area: 'adresser', publicKeys: true } } },
    () => ({ ok: true }),
  );
  app.get(
    '/servers',
    { schema: schema('servers'), config: { access: { area: 'adresser' } } },
    () => ({
      ok: true,
    }),
  );
  await app.ready();
  return () => app.close();
});

const from = (origin: string) => ({ origin, authorization: `Bearer ${PAGE}` });

describe('a public key', () => {
  test('answers its own pages, by header or parameter, by Origin or Referer', async () => {
    expect(
      (await app.inject({ url: '/pages', headers: from('https://a.example.dk') })).json(),
    ).toEqual({ ok: true });
    const headers = { referer: 'https://a.example.dk/side?x=1' };
    expect((await app.inject({ url: `/pages?token=${PAGE}`, headers })).statusCode).toBe(200);
  });

  test.each([
    ['https://evil-example.dk'],
    ['https://example.dk.evil.com'],
    ['https://a.example.dk@evil.com'],
    ['null'],
    ['https://example.dk'],
    ['https://A.EXAMPLE.DK'],
    ['a.example.dk'],
  ])('answers no other page: %s', async (origin) => {
    const answer = await app.inject({ url: '/pages', headers: from(origin) });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ type: 'origin_not_allowed', code: 'origin_not_allowed' });
  });

  test('answers nobody who does not say where from', async () => {
    const answer = await app.inject(`/pages?token=${PAGE}`);
    expect(answer.json()).toMatchObject({ code: 'origin_not_allowed' });
    const said = { referer: 'https://a.example.dk/', ...from('null') };
    expect((await app.inject({ url: '/pages', headers: said })).statusCode).toBe(403);
  });

  test('opens no operation for servers, whatever its origin', async () => {
    const answer = await app.inject({ url: '/servers', headers: from('https://a.example.dk') });
    expect(answer.json()).toMatchObject({ type: 'public_key_scope', code: 'public_key_scope' });
  });

  test('is told of its limit per address', async () => {
    const { headers } = await app.inject({ url: '/pages', headers: from('https://a.example.dk') });
    expect(headers['ratelimit']).toContain('"address";r=59;t=1');
    expect(headers['ratelimit-policy']).toContain('"address";q=60;w=60');
  });
});

describe('a browser', () => {
  test('may read the answers of operations for pages, refusals included, and no others', async () => {
    const headers = from('https://a.example.dk');
    const allowed = async (url: string, sent: object) =>
      (await app.inject({ url, headers: { ...sent } })).headers['access-control-allow-origin'];
    expect(await allowed('/pages', headers)).toBe('*');
    expect(await allowed('/pages', from('null'))).toBe('*');
    expect(await allowed('/pages', {})).toBe('*');
    expect(await allowed('/servers', headers)).toBeUndefined();
    const { headers: told } = await app.inject({ url: '/pages', headers });
    // What a page has to know of an answer; the others a browser lets it read by itself.
    expect(String(told['access-control-expose-headers']).split(', ').sort()).toEqual([
      ...[
        'Age',
        'Cache-Status',
        'ETag',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Request-Id',
      ],
      ...['X-Service-Data-Age', 'X-Service-Environment', 'X-Service-Generation', 'X-Service-Stale'],
      'X-Service-Status-Source',
      'X-Service-Units',
    ]);
    expect(told['access-control-allow-credentials']).toBeUndefined();
  });

  test('is given leave to send the key as a header, there alone', async () => {
    const preflight = (url: string, asked: Record<string, string> = {}) =>
      app.inject({ method: 'OPTIONS', url, headers: asked });
    const odd = { 'access-control-request-headers': 'x-app-version, x-trace,authorization' };
    expect((await preflight('/pages', odd)).headers['access-control-allow-headers']).toBe(
      odd['access-control-request-headers'],
    );
    const leave = await preflight('/pages');
    expect(leave.statusCode).toBe(204);
    expect(leave.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
    });
    // As clients of DAWA send them (../shared/cases/cors-preflight.http).
    const headers = String(leave.headers['access-control-allow-headers']).split(', ');
    for (const name of ['Authorization', 'Accept-Language', 'X-Request-Id', 'X-Requested-With']) {
      expect(headers).toContain(name);
    }
    expect(headers).toEqual(expect.arrayContaining(['Content-Type', 'Cache-Control']));
    expect((await preflight('/servers')).headers['access-control-allow-origin']).toBeUndefined();
  });
});
