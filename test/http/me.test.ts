/**
 * An account's own routes: every answer as documented, sessions alone manage keys. Signing in: the cookie's flags,
 * other sites, forged writes, planted sessions.
 */
import { hostname } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { newSecret } from '../../src/account/key-format.ts';
import { csrfTokenOf } from '../../src/account/sessions.ts';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { readActs } from '../../src/ops/operator-acts.ts';
import { runAdmin } from '../account/admin-run.ts';
import { memoryOperator } from '../edge/operator.ts';
import { openTestStore, sharedStore } from '../support/store.ts';
import { keptAccess, rateLimited } from '../edge/access.ts';
import { linesInto } from '../support/log.ts';
import { accountEdge, signIn } from './account-edge.ts';
import type { AccountEdge } from './account-edge.ts';
import { expectError, testApp } from '../edge/edge.ts';

const store = await sharedStore();
const logged: string[] = [];
const edge = await accountEdge(
  store,
  { operator: memoryOperator({ acts: (asked) => readActs(store, asked) }) },
  { logLevel: 'debug', logStream: linesInto(logged) },
);
const account = await edge.bench.account('pro');
const browser = await signIn(edge, account);
afterAll(() => edge.app.close());

interface ShownKey {
  readonly id: string;
  readonly secret?: string;
  readonly state: string;
}

const mint = (payload: Record<string, unknown>) =>
  browser.ask({ method: 'POST', url: '/v1/me/keys', payload });
const listed = async () =>
  (await browser.ask({ url: '/v1/me/keys' })).json<{ keys: ShownKey[] }>().keys;

test('GET /v1/me/acts shows what operators did to the account, to its session alone', async () => {
  const [mine, other] = [await edge.bench.account(), await edge.bench.account()];
  for (const id of [mine, other, mine]) {
    await runAdmin(store, ['tier', id, 'business', '--by', 'Anna Operatør']);
  }
  const session = await signIn(edge, mine);
  const response = await session.ask({ url: '/v1/me/acts?limit=1' });
  const { acts, next } = response.json<{ acts: unknown[]; next: number }>();
  const changes = [{ field: 'tier', before: '"business"', after: '"business"' }];
  expect(acts).toMatchObject([{ who: 'Anna Operatør', act: 'tier', via: 'command', changes }]);
  expect(JSON.stringify(acts)).not.toContain(hostname());
  const older = await session.ask({ url: `/v1/me/acts?before=${next}` });
  expect(older.json()).toMatchObject({
    ...{ next: null, acts: [{ changes: [{ before: '"pro"', after: '"business"' }] }] },
  });
  const { secret } = await edge.bench.key(mine);
  const byKey = { url: '/v1/me/acts', headers: { authorization: `Bearer ${secret}` } };
  expectError(await edge.app.inject(byKey), 'forbidden');
  expectError(await edge.app.inject('/v1/me/acts'), 'unauthorized');
});

describe('GET /v1/me', () => {
  test('tells a session its account, limits and the token for its writes', async () => {
    const response = await browser.ask({ url: '/v1/me' });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({
      account: { id: account, tier: 'pro', operator: false },
      tier: 'pro',
      environment: null,
      key: null,
      limits: {
        units_per_month: { live: 50_000, test: 5_000 },
        ceiling_per_month: { live: 500_000, test: 5_000 },
        requests_per_second: 50,
        burst_requests: 100,
        batches: true,
        overage: true,
      },
      csrf_token: browser.csrfToken,
    });
  });

  test('tells a key its account, but neither address nor token', async () => {
    const { key, secret } = await edge.bench.key(account, { permission: 'restricted:natur' });
    for (const request of [
      { url: '/v1/me', headers: { authorization: `Bearer ${secret}` } },
      { url: '/v1/me', headers: { authorization: `bearer  ${secret} ` } },
      { url: `/v1/me?token=${secret}` },
      // The header wins, and a key that is shown wins over a cookie.
      { url: '/v1/me?token=nonsense', headers: { authorization: `Bearer ${secret}` } },
      { url: `/v1/me?token=${secret}`, headers: { cookie: `svc_session=${browser.token}` } },
    ]) {
      const response = await edge.app.inject(request);
      expect(response.headers['x-service-environment']).toBe('test');
      expect(response.json()).toMatchObject({
        account: { id: account, email: null },
        environment: 'test',
        key: { id: key.id, environment: 'test', areas: ['natur'] },
        csrf_token: null,
      });
    }
  });

  test('has no word for nobody, a wrong key or a public one', async () => {
    const nobody = expectError(await edge.app.inject('/v1/me'), 'unauthorized');
    expect(nobody['code']).toBe('session_missing');
    for (const secret of ['', 'x', newSecret({ kind: 'secret', environment: 'live' })]) {
      const headers = { authorization: `Bearer ${secret}` };
      const wrong = expectError(await edge.app.inject({ url: '/v1/me', headers }), 'unauthorized');
      expect(wrong['code']).toBe('api_key_invalid');
    }
    const basic = {
      authorization: `Basic ${browser.token}`,
      cookie: `svc_session=${browser.token}`,
    };
    expectError(await edge.app.inject({ url: '/v1/me', headers: basic }), 'unauthorized');
    const { secret } = await edge.bench.key(account, { kind: 'public', origins: ['example.dk'] });
    const shown = await edge.app.inject({
      url: `/v1/me?token=${secret}`,
      headers: { origin: 'https://example.dk' },
    });
    expectError(shown, 'public_key_scope');
  });
});

describe('the keys of an account', () => {
  test('are made, shown once, listed without secrets, replaced and revoked', async () => {
    const made = await mint({ name: 'Server', environment: 'live' });
    expect(made.statusCode).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    const { key } = made.json<{ key: ShownKey & Record<string, unknown> }>();
    expect(key).toMatchObject({
      ...{ name: 'Server', kind: 'secret', environment: 'live', permission: 'read' },
      ...{ origins: [], state: 'active' },
    });
    expect(await edge.bench.find(key.secret ?? '')).toMatchObject({ keyId: key.id });

    const list = await browser.ask({ url: '/v1/me/keys' });
    expect(list.body).not.toContain(key.secret);
    expect(list.body).not.toContain('"secret":"svc');

    const url = `/v1/me/keys/${key.id}`;
    const overlap = { payload: { overlap_hours: 2 } };
    const rotated = await browser.ask({ method: 'POST', url: `${url}/rotate`, ...overlap });
    expect(rotated.statusCode).toBe(201);
    const { key: fresh, replaced } = rotated.json<{ key: ShownKey; replaced: ShownKey }>();
    expect(replaced).toMatchObject({
      id: key.id,
      replaced_by: fresh.id,
      expires_at: new Date(edge.bench.clock.nowMs() + 2 * 3_600_000).toISOString(),
    });
    expect(replaced).not.toHaveProperty('secret');
    expectError(await browser.ask({ method: 'POST', url: `${url}/rotate` }), 'conflict');

    for (let times = 0; times < 2; times += 1) {
      const revoked = await browser.ask({ method: 'DELETE', url });
      expect([revoked.statusCode, revoked.body]).toEqual([204, '']);
    }
    expect(await edge.bench.find(key.secret ?? '')).toBeNull();
    expect(await edge.bench.find(fresh.secret ?? '')).not.toBeNull();
    expect((await listed()).find(({ id }) => id === key.id)?.state).toBe('revoked');
  });

  test('of a session end when it is signed out of or replaced, those that took their place, too', async () => {
    const other = await signIn(edge, account);
    const ask = { method: 'POST', url: '/v1/me/keys' } as const;
    const payload = { name: 'Kort', environment: 'test', session: true };
    const made = await other.ask({ ...ask, payload });
    expect(made.statusCode).toBe(201);
    const { key } = made.json<{ key: { id: string; secret: string; expires_at: string } }>();
    expect(Date.parse(key.expires_at)).toBe(edge.bench.clock.nowMs() + ACCOUNT_LIMITS.sessionMs);
    const { key: lasting } = (
      await other.ask({ ...ask, payload: { ...payload, session: false } })
    ).json<{ key: { secret: string } }>();
    const rotated = await other.ask({ method: 'POST', url: `/v1/me/keys/${key.id}/rotate` });
    const { key: next } = rotated.json<{ key: { secret: string } }>();
    for (const { secret } of [key, next]) expect(await edge.bench.find(secret)).not.toBeNull();
    await other.ask({ method: 'DELETE', url: '/v1/me/session' });
    for (const { secret } of [key, next]) expect(await edge.bench.find(secret)).toBeNull();
    expect(await edge.bench.find(lasting.secret)).not.toBeNull();
    // And when the same browser signs in anew.
    const again = await signIn(edge, account);
    const { key: kept } = (await again.ask({ ...ask, payload })).json<{
      key: { secret: string };
    }>();
    await signIn(edge, account, { cookie: `svc_session=${again.token}` });
    expect(await edge.bench.find(kept.secret)).toBeNull();
  });

  test.each([
    [{ name: '', environment: 'test' }],
    [{ name: 'x'.repeat(121), environment: 'test' }],
    [{ name: 'x', environment: 'sandbox' }],
    [{ name: 'x', environment: 'test', permission: 'all' }],
    [{ name: 'x', environment: 'test', origins: ['example.dk'] }],
    [{ name: 'x', environment: 'test', kind: 'public' }],
    [{ name: 'x', environment: 'test', kind: 'public', origins: ['https://example.dk/side'] }],
    [{ name: 'x', environment: 'test', tier: 'business' }],
    [{ name: 'x', environment: 'test', expires_at: '2099-01-01T00:00:00Z' }],
    [{ name: 'x', environment: 'test', account_id: 'account_aaaaaaaaaaaaaaaaaaaa' }],
  ])('are not made of %j', async (payload) => {
    const before = (await listed()).length;
    expectError(await mint(payload), 'invalid_request');
    expect(await listed()).toHaveLength(before);
  });

  test('of another account are not there', async () => {
    const { key } = await edge.bench.key(await edge.bench.account());
    const said = new Set();
    for (const id of [key.id, 'key_aaaaaaaaaaaaaaaaaaaa', 'x', 'key_%00', "'", '..%2f..']) {
      const url = `/v1/me/keys/${id}`;
      const gone = expectError(await browser.ask({ method: 'DELETE', url }), 'not_found');
      const rotate = await browser.ask({ method: 'POST', url: `${url}/rotate` });
      said.add(gone['error']).add(expectError(rotate, 'not_found')['error']);
    }
    expect(said.size).toBe(1);
    expect(JSON.stringify(await listed())).not.toContain(key.id);
  });
});

test('without accounts in the process every one of them is 503', async () => {
  const bare = await testApp();
  for (const url of ['/v1/me', '/v1/me/keys', '/v1/me/session']) {
    expectError(await bare.inject(url), 'upstream_unavailable');
  }
});

test('a key is told its limits here as everywhere, also when it has none left', async () => {
  const access = keptAccess({});
  const kept = await accountEdge(store, { access });
  const { secret } = await kept.bench.key(account);
  const headers = { authorization: `Bearer ${secret}` };
  const told = { ratelimit: '"burst";r=99;t=1, "month";r=123;t=86400' };
  for (const url of ['/v1/me', '/v1/me/usage', '/v1/me/usage/lines']) {
    expect((await kept.app.inject({ url, headers })).headers, url).toMatchObject(told);
  }
  access.failing.admit = rateLimited();
  const limited = await kept.app.inject({ url: '/v1/me', headers });
  expectError(limited, 'rate_limited');
  expect(limited.headers).toMatchObject(told);
  const signedIn = await browser.ask({ url: '/v1/me' });
  expect(signedIn.headers['ratelimit']).toBeUndefined();
  await kept.app.close();
});

test('while the store is away nobody is told that nobody is signed in', async () => {
  const gone = await openTestStore();
  const away = await accountEdge(gone);
  const cookie = `svc_session=${browser.token}`;
  await gone.close();
  for (const url of ['/v1/me', '/v1/me/keys', '/v1/me/session']) {
    expectError(await away.app.inject({ url, headers: { cookie } }), 'overloaded');
  }
  const headers = { authorization: `Bearer ${newSecret({ kind: 'secret', environment: 'live' })}` };
  expectError(await away.app.inject({ url: '/v1/me', headers }), 'overloaded');
  await away.app.close();
});

const post = async (
  headers: Record<string, string>,
  { link, to = edge }: { readonly link?: string; readonly to?: AccountEdge } = {},
) =>
  to.app.inject({
    ...{ method: 'POST', url: '/v1/me/session', headers },
    payload: { link: link ?? (await edge.bench.sessions.newLink(account)).token },
  });

describe('the cookie', () => {
  const FLAGS = ['Path=/', 'Max-Age=43200', 'HttpOnly', 'SameSite=Lax'];

  test.each([
    ['geo.example', true],
    ['geo.example:8080', true],
    ['localhost.evil.com', true],
    ['127.0.0.1.evil.com', true],
    ['127.0.0.2', true],
    ['localhost', false],
    ['localhost:8080', false],
    ['127.0.0.1:8080', false],
    ['[::1]:8080', false],
  ])('has its flags at %s', async (host, secure) => {
    const response = await post({ host });
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const [value, ...flags] = String(response.headers['set-cookie']).split('; ');
    expect(value).toMatch(/^svc_session=[A-Za-z0-9_-]{43}$/);
    expect(flags).toEqual(secure ? [...FLAGS, 'Secure'] : FLAGS);
    expect(response.body).not.toContain(value?.slice('svc_session='.length));
  });

  test('is Secure by the public address, whatever a proxy says the host is', async () => {
    const behind = await accountEdge(store, {}, { publicUrl: 'https://geo.example' });
    const proxied = { host: 'localhost:8080', origin: 'https://geo.example' };
    const response = await post(proxied, { to: behind });
    expect(String(response.headers['set-cookie'])).toMatch(/; Secure$/);
    await behind.app.close();
  });

  test('and its link keep what they were while the keys of a session cannot be ended', async () => {
    const before = await signIn(edge, account);
    const payload = { name: 'Kort', environment: 'test', session: true };
    const made = await before.ask({ method: 'POST', url: '/v1/me/keys', payload });
    const { key } = made.json<{ key: { secret: string } }>();
    const { token: link } = await edge.bench.sessions.newLink(account);
    const signInAgain = () => post({ cookie: `svc_session=${before.token}` }, { link });
    await store.pool.query(
      `create function refuse_ends() returns trigger language plpgsql as
        $$ begin raise exception 'no key ends here'; end $$;
      create trigger refuse_ends before update on api_key execute function refuse_ends()`,
    );
    expectError(await signInAgain(), 'overloaded');
    expectError(await before.ask({ method: 'DELETE', url: '/v1/me/session' }), 'overloaded');
    expect((await before.ask({ url: '/v1/me' })).statusCode).toBe(200);
    await store.pool.query('drop function refuse_ends cascade');
    expect((await signInAgain()).statusCode).toBe(200);
    expect(await edge.bench.find(key.secret)).toBeNull();
    expectError(await before.ask({ url: '/v1/me' }), 'unauthorized');
  });

  test('is taken back on signing out, and worth nothing from then on', async () => {
    const browser = await signIn(edge, account);
    const response = await browser.ask({ method: 'DELETE', url: '/v1/me/session' });
    expect(response.statusCode).toBe(204);
    expect(response.headers['set-cookie']).toBe(
      'svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
    const after = await browser.ask({ url: '/v1/me' });
    expect(expectError(after, 'unauthorized')['code']).toBe('session_ended');
    expectError(await browser.ask({ method: 'DELETE', url: '/v1/me/session' }), 'unauthorized');
  });

  test('twice in one request is none: one of them is somebody else’s', async () => {
    const browser = await signIn(edge, account);
    const other = await signIn(edge, await edge.bench.account());
    for (const cookie of [
      `svc_session=${browser.token}; svc_session=${other.token}`,
      `svc_session=${browser.token}; a=b; svc_session=`,
    ]) {
      expectError(await browser.ask({ url: '/v1/me', headers: { cookie } }), 'unauthorized');
    }
    const cookie = `a=svc_session=${other.token}; svc_session=${browser.token};b`;
    expect((await browser.ask({ url: '/v1/me', headers: { cookie } })).statusCode).toBe(200);
  });
});

describe('a link', () => {
  test('is not taken from an address, nor from a form of another site', async () => {
    const { token } = await edge.bench.sessions.newLink(account);
    const url = `/v1/me/session?link=${token}`;
    expectError(await edge.app.inject({ method: 'POST', url, payload: {} }), 'invalid_request');
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', `link=${token}`],
      ['text/plain', JSON.stringify({ link: token })],
    ] as const) {
      const headers = { 'content-type': type };
      const sent = { method: 'POST', url: '/v1/me/session', payload, headers } as const;
      expectError(await edge.app.inject(sent), 'unsupported_media_type');
    }
    expect((await post({}, { link: token })).statusCode).toBe(200);
  });

  test.each([
    [{ origin: 'https://evil.com' }],
    [{ origin: 'null' }],
    [{ origin: 'https://geo.example.evil.com' }],
    [{ origin: 'https://evil-geo.example' }],
    [{ origin: 'https://geo.example:8443' }],
    [{ origin: 'https://geo.example', 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('does not sign in for another site: %j', async (headers: Record<string, string>) => {
    const { token } = await edge.bench.sessions.newLink(account);
    const response = await post({ host: 'geo.example', ...headers }, { link: token });
    expectError(response, 'forbidden');
    expect(response.headers['set-cookie']).toBeUndefined();
    // The link is not used up by it.
    expect((await post({}, { link: token })).statusCode).toBe(200);
  });
});

test('who is signed in is told, and that nobody is', async () => {
  const nobody = await edge.app.inject('/v1/me/session');
  expect(nobody.json()).toEqual({ session: null });
  const browser = await signIn(edge, account);
  expect((await browser.ask({ url: '/v1/me/session' })).json()).toMatchObject({
    session: { account: { id: account }, csrf_token: browser.csrfToken },
  });
});

describe('a write of a session', () => {
  const WRITES: readonly (InjectOptions & { readonly url: string })[] = [
    { method: 'POST', url: '/v1/me/keys', payload: { name: 'x', environment: 'test' } },
    { method: 'POST', url: '/v1/me/keys/key_aaaaaaaaaaaaaaaaaaaa/rotate' },
    { method: 'DELETE', url: '/v1/me/keys/key_aaaaaaaaaaaaaaaaaaaa' },
    { method: 'DELETE', url: '/v1/me/session' },
    { method: 'POST', url: '/v1/drift/lag/soe/synk' },
    { method: 'POST', url: '/v1/drift/lag/soe/fortryd' },
  ];

  test.each(WRITES)('is refused when it is forged: $method $url', async (request) => {
    const operator = await edge.bench.account();
    await edge.bench.accounts.setOperator(operator, true);
    const browser = await signIn(edge, operator);
    const forged: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': browser.token },
      { 'x-csrf-token': csrfTokenOf('A'.repeat(43)) },
      { 'x-csrf-token': `${browser.csrfToken}, ${browser.csrfToken}` },
      { 'x-csrf-token': browser.csrfToken.toLowerCase() },
      { origin: 'https://evil.com' },
      { origin: 'null' },
      { origin: 'https://geo.example.evil.com' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of forged) {
      const response = await browser.ask({ ...request, headers });
      expectError(response, 'forbidden');
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    const headers = { cookie: `svc_session=${browser.token}`, host: 'geo.example' };
    expectError(await edge.app.inject({ ...request, headers }), 'forbidden');
    // The token in the address is not the header.
    const url = `${request.url}?token=${browser.csrfToken}`;
    expectError(await edge.app.inject({ ...request, url, headers }), 'forbidden');
    // Nothing happened to the session.
    expect((await browser.ask({ url: '/v1/me' })).statusCode).toBe(200);
    const own = { origin: 'https://geo.example', 'sec-fetch-site': 'same-origin' };
    expect((await browser.ask({ ...request, headers: own })).statusCode).not.toBe(403);
  });
});

describe("the operator's routes", () => {
  const READ = '/v1/drift/lag';

  test('let an operator in by the session, and nobody else', async () => {
    const operator = await edge.bench.account();
    const browser = await signIn(edge, operator);
    const refused = expectError(await browser.ask({ url: READ }), 'forbidden');
    expect(refused['error']).toContain('does not operate');
    await edge.bench.accounts.setOperator(operator, true);
    expect((await browser.ask({ url: READ })).statusCode).toBe(200);
    expect((await browser.ask({ url: '/metrics' })).statusCode).toBe(200);
    await edge.bench.accounts.setOperator(operator, false);
    expectError(await browser.ask({ url: READ }), 'forbidden');
    const cookie = `svc_session=${'A'.repeat(43)}`;
    expectError(await edge.app.inject({ url: READ, headers: { cookie } }), 'unauthorized');
  });
});

test('no token of a link, a session or a key is in any log line', async () => {
  const { token: link } = await edge.bench.sessions.newLink(account);
  const { secret } = await edge.bench.key(account);
  const browser = await signIn(edge, account);
  await post({}, { link });
  await post({}, { link });
  const made = await browser.ask({
    method: 'POST',
    url: '/v1/me/keys',
    payload: { name: 'x', environment: 'test' },
  });
  const { key } = made.json<{ key: { secret: string } }>();
  await edge.app.inject({ url: `/v1/me?token=${secret}` });
  await edge.app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${key.secret}` } });
  await edge.app.inject({ url: `/v1/me/keys/${secret}`, method: 'DELETE' });
  const log = logged.join('');
  expect(log).toContain('key made');
  expect(log).toContain('signed in');
  for (const told of [link, browser.token, browser.csrfToken, key.secret, secret]) {
    expect(log).not.toContain(told);
  }
});
