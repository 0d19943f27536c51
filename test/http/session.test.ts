/** Signing in over HTTP: the cookie's flags, other sites, forged writes, planted sessions. */
import { afterAll, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { csrfTokenOf } from '../../src/account/sessions.ts';
import { sharedStore } from '../support/store.ts';
import { accountEdge, signIn } from './account-edge.ts';
import type { AccountEdge } from './account-edge.ts';
import { expectDocumented, expectError } from '../edge/edge.ts';
import { memoryOperator } from '../edge/operator.ts';
import { linesInto } from '../support/log.ts';

const lines: string[] = [];
const logStream = linesInto(lines);
const store = await sharedStore();
const edge = await accountEdge(
  store,
  { operator: memoryOperator() },
  { logLevel: 'debug', logStream },
);
const account = await edge.bench.account();
afterAll(() => edge.app.close());

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
    expectDocumented(edge.app, response, ['post', '/v1/me/session']);
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

  test('is taken back on signing out, and worth nothing from then on', async () => {
    const browser = await signIn(edge, account);
    const response = await browser.ask({ method: 'DELETE', url: '/v1/me/session' });
    expect(response.statusCode).toBe(204);
    expect(response.headers['set-cookie']).toBe(
      'svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
    const after = await browser.ask({ url: '/v1/me' });
    expect(expectError(after, 'unauthorized')['code']).toBe('session_ended');
    const again = await browser.ask({ method: 'DELETE', url: '/v1/me/session' });
    expectError(again, 'unauthorized');
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
  const response = await browser.ask({ url: '/v1/me/session' });
  expectDocumented(edge.app, response, ['get', '/v1/me/session']);
  expect(response.json()).toMatchObject({
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
  const log = lines.join('');
  expect(log).toContain('key made');
  expect(log).toContain('signed in');
  for (const told of [link, browser.token, browser.csrfToken, key.secret, secret]) {
    expect(log).not.toContain(told);
  }
});
