/** Webhook administration: every answer as documented, sessions alone, each account its own. */
import { afterAll, describe, expect, test } from 'vitest';
import { WEBHOOK_LIMITS } from '../../src/webhooks/limits.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { expectError } from '../edge/edge.ts';
import { opened } from '../support/opened.ts';
import { sharedStore } from '../support/store.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startDns } from '../webhooks/dns-server.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';
import { webhookBench } from '../webhooks/webhook-bench.ts';
import { accountEdge, signIn } from '../http/account-edge.ts';

const store = await sharedStore();
const authority = makeAuthority();
const dns = await opened(
  startDns({
    'hooks.example': ['127.0.0.1'],
    'inside.example': ['10.0.0.1'],
    'failing.example': 'failure',
  }),
);
const receiver = await opened(startReceiver(authority.issue('DNS:hooks.example')));
const network = { resolve: createResolver(dns.servers), ca: authority.ca };
const bench = await opened(Promise.resolve(webhookBench(store, network)));
const edge = await accountEdge(store, { webhooks: bench.webhooks });
afterAll(() => edge.app.close());
const account = await edge.bench.account('pro');
const browser = await signIn(edge, account);

interface ShownWebhook {
  readonly id: string;
  readonly secret?: string;
  readonly enabled: boolean;
}

const url = (path = '/') => `https://hooks.example:${receiver.port}${path}`;
const good = () => ({ url: url(), events: ['key.created', 'key.revoked'] });
const post = (payload: Record<string, unknown>, by = browser) =>
  by.ask({ method: 'POST', url: '/v1/me/webhooks', payload });
const patch = (id: string, payload: Record<string, unknown>, by = browser) =>
  by.ask({ method: 'PATCH', url: `/v1/me/webhooks/${id}`, payload });
const listed = async (by = browser) =>
  (await by.ask({ url: '/v1/me/webhooks' })).json<{ webhooks: ShownWebhook[] }>().webhooks;
const registered = async (change: Record<string, unknown> = {}) => {
  const response = await post({ ...good(), ...change });
  expect(response.statusCode, response.body).toBe(201);
  return response.json<{ webhook: Required<ShownWebhook> }>().webhook;
};
const removed = (id: string, by = browser) =>
  by.ask({ method: 'DELETE', url: `/v1/me/webhooks/${id}` });
const act = (id: string, what: 'test' | 'secret', more: object = {}, by = browser) =>
  by.ask({ method: 'POST', url: `/v1/me/webhooks/${id}/${what}`, ...more });

async function newcomer() {
  const id = await edge.bench.account('free');
  return { account: id, browser: await signIn(edge, id) };
}

describe('registering', () => {
  test('tells the secret once, and nowhere after', async () => {
    const response = await post({ ...good(), description: 'Driftsvagten 🍎' });
    expect(response.statusCode).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { webhook } = response.json<{ webhook: Required<ShownWebhook> }>();
    expect(webhook).toEqual({
      id: expect.stringMatching(/^webhook_[a-z2-7]{20}$/) as string,
      url: url(),
      events: ['key.created', 'key.revoked'],
      enabled: true,
      description: 'Driftsvagten 🍎',
      secretPrefix: webhook.secret.slice(0, 10),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      createdAt: new Date(bench.clock.nowMs()).toISOString(),
    });
    expect(response.headers['location']).toBe(`/v1/me/webhooks/${webhook.id}`);
    const list = await browser.ask({ url: '/v1/me/webhooks' });
    const { secret, ...rest } = webhook;
    expect(list.json<{ webhooks: unknown[] }>().webhooks).toContainEqual(rest);
    expect(list.body).not.toContain(secret.slice(10));
    await removed(webhook.id);
  });

  test.each([
    ['no body', undefined, /./],
    ['no url', { url: undefined }, /url is missing/],
    ['no events', { events: undefined }, /events is missing/],
    ['an empty list', { events: [] }, /events must have at least 1/],
    [
      'an event twice',
      { events: ['key.created', 'key.created'] },
      /events must have each item once/,
    ],
    ['ping', { events: ['ping'] }, /events\[0\] must be one of key\.created/],
    ['an unknown event', { events: ['key.created', 'job.done'] }, /events\[1\] must be one of/],
    ['201 characters', { description: 'x'.repeat(201) }, /description may have at most 200/],
    ['null for a description', { description: null }, /description must be a text/],
    ['http', { url: 'http://hooks.example/' }, /url must begin with https/],
    ['a private address', { url: 'https://10.0.0.1/' }, /url must lead to public addresses only/],
    ['a private name', { url: 'https://inside.example/' }, /url must lead to public/],
    ['a name that leads nowhere', { url: 'https://nobody.example/' }, /no address/],
    ['user-info', { url: 'https://a:geheim@hooks.example/' }, /no user name or password/],
    ['port 22', { url: 'https://hooks.example:22/' }, /port 443, or one from 1024/],
    [
      '2,049 characters',
      { url: `https://hooks.example/${'x'.repeat(2_048)}` },
      /url may have at most 2048/,
    ],
    ['an unknown property', { enabled: true }, /Unknown property: enabled/],
    ['a secret of one’s own', { secret: 'whsec_x' }, /Unknown property: secret/],
  ])('refuses %s, and nothing is half done', async (_, change, text) => {
    const before = await listed();
    const payload = change === undefined ? '' : { ...good(), ...change };
    const response = await browser.ask({
      method: 'POST',
      url: '/v1/me/webhooks',
      payload,
      headers: { 'accept-language': 'en', 'content-type': 'application/json' },
    });
    const body = expectError(response, 'invalid_request');
    expect(body['error']).toMatch(text);
    expect(response.body).not.toContain('geheim');
    expect(await listed()).toEqual(before);
  });

  test('is neither yes nor no while the DNS fails', async () => {
    expectError(await post({ ...good(), url: 'https://failing.example/' }), 'upstream_unavailable');
  });

  test('ends at twenty, however many ask at once', async () => {
    const { browser: by } = await newcomer();
    const { perAccount } = WEBHOOK_LIMITS;
    const answers = await Promise.all(
      Array.from({ length: perAccount + 5 }, () => post(good(), by)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(refused).toHaveLength(5);
    for (const response of refused) {
      const body = expectError(response, 'conflict');
      expect(body).toMatchObject({
        code: 'webhook_limit',
        error: `An account has at most ${perAccount} webhooks: remove one first.`,
      });
    }
    const [first] = await listed(by);
    expect((await removed(first?.id ?? '', by)).statusCode).toBe(204);
    expect((await post(good(), by)).statusCode).toBe(201);
  });

  test('names the setting where secrets cannot be sealed, and the rest works', async () => {
    const bare = webhookBench(
      store,
      { resolve: createResolver(dns.servers), ca: '' },
      { settings: { webhookKey: null } },
    );
    const other = await accountEdge(store, { webhooks: bare.webhooks });
    const by = await signIn(other, await other.bench.account('pro'));
    const body = expectError(await post(good(), by), 'upstream_unavailable');
    expect(body).toMatchObject({ code: 'webhook_key_missing' });
    expect(body['error']).toContain('WEBHOOK_KEY');
    expect(await listed(by)).toEqual([]);
    expect(bare.dispatcher).toBeNull();
    await other.app.close();
    await bare.close();
  });
});

describe('changing', () => {
  test('sets any of the fields, and keeps the secret', async () => {
    const { id, secret } = await registered({ description: 'Før' });
    const changes = [
      { url: url('/ny') },
      { events: ['usage.threshold'] },
      { description: 'Efter' },
      { enabled: false },
    ];
    for (const change of changes) {
      const response = await patch(id, change);
      expect(response.json<{ webhook: object }>().webhook).toMatchObject(change);
      expect(response.body).not.toContain(secret.slice(10));
    }
    const gone = await patch(id, { description: null, enabled: true });
    expect(gone.json<{ webhook: object }>().webhook).not.toHaveProperty('description');
    expect((await patch(id, {})).statusCode).toBe(200);
    receiver.received.length = 0;
    await act(id, 'test');
    expect(receiver.received[0]?.path).toBe('/ny');
    await removed(id);
  });

  test.each([
    [{ url: 'https://169.254.169.254/' }, /url must lead to public addresses/],
    [{ url: null }, /url must be a text/],
    [{ events: [] }, /events must have at least 1/],
    [{ enabled: 'no' }, /enabled must be true or false/],
    [{ description: 'x'.repeat(201) }, /description may have at most 200/],
    [{ secret: 'x' }, /Unknown property: secret/],
    [{ enabled: false, url: 'http://hooks.example' }, /https/],
  ])('refuses %j whole', async (change, text) => {
    const { id } = await registered();
    const before = await listed();
    expect(expectError(await patch(id, change), 'invalid_request')['error']).toMatch(text);
    expect(await listed()).toEqual(before);
    await removed(id);
  });
});

describe('a test ping', () => {
  test('is sent at once, once, to a disabled endpoint too, and reports the result', async () => {
    const { id } = await registered();
    await patch(id, { enabled: false });
    receiver.received.length = 0;
    const ping = (more?: object) => act(id, 'test', more);
    const { delivery } = (await ping()).json<{ delivery: { id: string } }>();
    expect(delivery).toMatchObject({
      event: 'ping',
      status: 'success',
      attempts: 1,
      lastStatusCode: 200,
      lastError: null,
      nextAttemptAt: null,
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      id: delivery.id,
      event: 'ping',
      data: {},
    });
    receiver.answer = status(500);
    const failed = (await ping()).json<{ delivery: object }>().delivery;
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, lastError: 'status 500' });
    receiver.answer = status(200);
    const log = await browser.ask({ url: `/v1/me/webhooks/${id}/deliveries` });
    expect(log.json<{ deliveries: object[] }>().deliveries).toHaveLength(2);
    expectError(await ping({ payload: { event: 'key.created' } }), 'invalid_request');
    await removed(id);
  });

  test('is sent ten times a minute and not an eleventh', async () => {
    const { browser: by } = await newcomer();
    const ids: string[] = [];
    for (let n = 0; n < 2; n++)
      ids.push((await post(good(), by)).json<{ webhook: ShownWebhook }>().webhook.id);
    const ping = (n: number) => act(ids[n % 2]!, 'test', {}, by);
    for (let n = 0; n < 10; n++) expect((await ping(n)).statusCode).toBe(200);
    // A new endpoint has none left either: the account is counted.
    await removed(ids[0] ?? '', by);
    const refused = await ping(1);
    expectError(refused, 'rate_limited');
    expect(refused.headers['retry-after']).toBe('60');
    bench.clock.turn(60_001);
    expect((await ping(1)).statusCode).toBe(200);
  });
});

describe('a new secret', () => {
  test('is told in its answer and nowhere else, and at most once a minute', async () => {
    const before = await registered();
    const renew = (payload?: object) => act(before.id, 'secret', payload && { payload });
    expectError(await renew({ secret: 'whsec_x' }), 'invalid_request');
    const response = await renew();
    expect(response.statusCode).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { webhook } = response.json<{ webhook: Required<ShownWebhook> }>();
    expect(webhook.secret).not.toBe(before.secret);
    expect(webhook).toEqual({
      ...before,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
      secretPrefix: webhook.secret.slice(0, 10),
    });
    const { secret, ...rest } = webhook;
    const list = await browser.ask({ url: '/v1/me/webhooks' });
    expect(list.json<{ webhooks: unknown[] }>().webhooks).toContainEqual(rest);
    expect(list.body).not.toContain(secret.slice(10));
    const again = await renew({});
    expectError(again, 'rate_limited');
    expect(again.headers['retry-after']).toBe('60');
    await removed(before.id);
    expectError(await renew(), 'not_found');
  });

  test('is asked for and an endpoint removed by clients that name a type on every request', async () => {
    const { id } = await registered();
    const headers = { 'content-type': 'application/json' };
    const renewed = await act(id, 'secret', { headers });
    expect(renewed.statusCode, renewed.body).toBe(201);
    const gone = await browser.ask({ method: 'DELETE', url: `/v1/me/webhooks/${id}`, headers });
    expect(gone.statusCode, gone.body).toBe(204);
  });
});

// Nobody and keys: http/persons.test.ts.
describe('strangers', () => {
  const asked = (id: string) =>
    [
      ['PATCH', `/v1/me/webhooks/${id}`, { enabled: false }],
      ['DELETE', `/v1/me/webhooks/${id}`, undefined],
      ['GET', `/v1/me/webhooks/${id}/deliveries`, undefined],
      ['POST', `/v1/me/webhooks/${id}/test`, undefined],
      ['POST', `/v1/me/webhooks/${id}/secret`, undefined],
    ] as const;

  test('who are signed in find nothing of others, nor of what never was', async () => {
    const { id } = await registered();
    const { browser: other } = await newcomer();
    const nobodys = `webhook_${'a'.repeat(20)}`;
    for (const named of [id, nobodys, 'x', 'webhook_', `${id}x`]) {
      for (const [method, path, payload] of asked(named)) {
        const request = { method, url: path, ...(payload && { payload }) };
        const body = expectError(await other.ask(request), 'not_found');
        expect(body['error']).toBe('The account has no such webhook.');
      }
    }
    // Whose it is not learns nothing of an address either.
    expectError(await patch(id, { url: 'https://10.0.0.1/' }, other), 'not_found');
    expect(await listed(other)).toEqual([]);
    expect((await listed()).find((each) => each.id === id)?.enabled).toBe(true);
    await removed(id);
  });
});
