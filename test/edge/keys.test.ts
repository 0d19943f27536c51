/** Keys at the edge: who gets in, what it costs, and what every answer says about it. */
import { request as send } from 'node:http';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import { until } from '../support/until.ts';
import { keptAccess, rateLimited } from './access.ts';
import { operationsOf, requestOf } from './documented.ts';
import {
  GENERATION,
  expectError,
  linesAt,
  sharedApp,
  LINES,
  testApp,
  atGeneration,
} from './edge.ts';
import { portOf } from '../support/free-port.ts';

const LIVE = 'svc_live_one';
const TEST = 'svc_test_one';
const POINT = 'lon=12.1&lat=55.6';
const LEFT = '"burst";r=99;t=1, "month";r=123;t=86400';
const TEN = `/v1/natur/byggelinjer?${POINT}`;
const KEYS = {
  [LIVE]: { keyId: 'key_live' },
  [TEST]: { keyId: 'key_test', environment: 'test' },
  svc_live_free: { keyId: 'key_free', accountId: 'account_2', tier: 'free', permission: 'jobs' },
  svc_live_dagi: { keyId: 'key_dagi', permission: 'restricted:dagi' },
  svc_pub_live_page: { keyId: 'key_page', kind: 'public', origins: ['example.dk'] },
} as const;

/** One edge for all: what a test takes it gives back, and its account begins empty. */
const access = keptAccess(KEYS);
const app = await sharedApp({ access });
afterEach(() => {
  expect(access.outstanding()).toBe(0);
  access.settled.length = 0;
  for (const name of Object.keys(access.failing)) Reflect.deleteProperty(access.failing, name);
});

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const points = (count: number) => ({
  punkter: Array.from({ length: count }, () => ({ lon: 12.1, lat: 55.6 })),
});

const OPERATIONS = operationsOf(app.swagger());
/** By key alone: what a session may ask as well is no lookup. */
const KEYED_OPERATIONS = OPERATIONS.filter(({ security }) => 'apiKey' in (security[0] ?? {}));
const KEYED = KEYED_OPERATIONS.map(
  (operation) => [operation.method.toUpperCase(), requestOf(operation).url] as const,
);
const QUESTIONS = KEYED.filter(([, url]) => !/^\/v1\/(kort|aendringer|udtraek|jobs)\b/.test(url));

const isOfJobs = (url: string): boolean => url.startsWith('/v1/jobs');

test.each(KEYED.filter(([method]) => method === 'GET'))(
  '%s %s is answered alike with the key as a parameter',
  async (_, url) => {
    const token = `${url}${url.includes('?') ? '&' : '?'}token=${LIVE}`;
    const [one, other] = [
      await app.inject({ url, headers: bearer(LIVE) }),
      await app.inject(token),
    ];
    expect(other.statusCode).toBe(one.statusCode);
    const ofItsOwn = /"(request_id|doc_url)":"[^"]*"/g;
    expect(other.body.replace(ofItsOwn, '')).toBe(one.body.replace(ofItsOwn, ''));
  },
);

describe('without a key', () => {
  test.each(KEYED)('%s %s is 401 before anything else is looked at', async (method, url) => {
    const answer = await app.inject({ method, url, payload: method === 'POST' ? '{"x":' : '' });
    const body = expectError(answer, 'unauthorized');
    expect(body['code']).toBe('api_key_missing');
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="geoopslag"');
    expect(answer.headers['ratelimit']).toBeUndefined();
  });

  test('these operations answer, and no others', async () => {
    const open = OPERATIONS.filter(({ security }) => security.length === 0);
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      ...['get /healthz', 'get /readyz', 'get /startupz', 'get /v1/demo/ejendom', 'get /v1/errors'],
      ...['get /v1/errors/{type}', 'get /v1/status', 'post /v1/demo/noegle'],
      ...['post /v1/me/account-requests', 'post /v1/me/session', 'post /v1/me/session/link'],
    ]);
    for (const operation of open.filter(({ method }) => method === 'get')) {
      const { url } = requestOf(operation);
      expect((await app.inject(url)).statusCode, url).toBe(200);
    }
    expect((await app.inject('/openapi.json')).statusCode).toBe(200);
    expect(access.settled).toEqual([]);
  });

  test.each(KEYED_OPERATIONS)(
    '$method $path documents how it is refused',
    ({ path, responses }) => {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '503']));
      if (path.endsWith(':batch') || isOfJobs(path)) expect(responses).toHaveProperty('402');
    },
  );
});

describe('a key', () => {
  test('is taken from the header, from the parameter, and the header wins', async () => {
    expect((await app.inject({ url: TEN, headers: bearer(LIVE) })).statusCode).toBe(200);
    expect((await app.inject(`${TEN}&token=${LIVE}`)).statusCode).toBe(200);
    const both = { url: `${TEN}&token=${TEST}`, headers: bearer(LIVE) };
    const answer = await app.inject(both);
    expect(answer.headers['x-service-environment']).toBeUndefined();
    expect(access.settled.map(({ keyId }) => keyId)).toEqual(['key_live', 'key_live', 'key_live']);
    const wrong = await app.inject({ url: `${TEN}&token=${LIVE}`, headers: bearer('svc_live_no') });
    expect(expectError(wrong, 'unauthorized')['code']).toBe('api_key_invalid');
    // An empty parameter is none.
    expect((await app.inject({ url: `${TEN}&token=`, headers: bearer(LIVE) })).statusCode).toBe(
      200,
    );
    const none = await app.inject(`${TEN}&token=`);
    expect(expectError(none, 'unauthorized')['code']).toBe('api_key_missing');
  });

  test.each([
    ['Basic c3ZjX2xpdmVfb25lOg==', TEN],
    ['Bearer', TEN],
    [`Bearer ${LIVE} ${LIVE}`, TEN],
    [undefined, `${TEN}&token=${LIVE}&token=${LIVE}`],
    [undefined, `${TEN}&token=svc_live_%00`],
    ['Bearer svc_live_ønsket', TEN],
  ])('in no form but the two is invalid: %s', async (authorization, url) => {
    const answer = await app.inject({ url, headers: authorization ? { authorization } : {} });
    expect(expectError(answer, 'unauthorized')['code']).toBe('api_key_invalid');
    expect(answer.body).not.toContain(LIVE);
  });

  test('of one area opens no question of another', async () => {
    const headers = bearer('svc_live_dagi');
    for (const [method, url] of QUESTIONS) {
      const answer = await app.inject({ method: method as 'GET', url, headers });
      const isOther = !url.startsWith('/v1/dagi');
      expect([url, answer.statusCode === 403]).toEqual([url, isOther]);
      if (isOther) expect(expectError(answer, 'forbidden')['code']).toBe('key_scope_missing');
    }
    expect((await app.inject({ url: '/v1/dagi/kommune/0999', headers })).statusCode).toBe(200);
  });

  test.each(QUESTIONS)('is told of its limits before %s %s is looked up', async (method, url) => {
    const ask = async () =>
      await app.inject({ method: method as 'GET', url, headers: bearer(LIVE) });
    access.failing.admit = rateLimited();
    const limited = await ask();
    expectError(limited, 'rate_limited');
    expect(limited.headers).toMatchObject({ 'retry-after': '2', ratelimit: LEFT });
    delete access.failing.admit;
    access.failing.reserve = new Failure('quota_exceeded', { retryAfterS: 77 });
    const { statusCode } = await ask();
    // A body is read first: an example sends none.
    expect(statusCode).toBe(method === 'POST' ? 400 : 429);
  });

  test('below the plan of batches gets 402 for them and for jobs, and for nothing else', async () => {
    const headers = bearer('svc_live_free');
    for (const [method, url] of KEYED) {
      const answer = await app.inject({ method, url, headers });
      const needsPlan = method === 'POST' || isOfJobs(url);
      expect(answer.statusCode === 402, `${method} ${url}`).toBe(needsPlan);
      if (needsPlan) expect(expectError(answer, 'plan_required')['error']).toMatch(/pro/);
    }
  });

  test('that is public works on no operation of this version, wherever it comes from', async () => {
    const headers = { origin: 'https://example.dk', ...bearer('svc_pub_live_page') };
    const answer = await app.inject({ url: TEN, headers });
    expectError(answer, 'public_key_scope');
  });
});

describe('the bill', () => {
  const ask = (url: string, body?: object) =>
    app.inject({
      method: body === undefined ? 'GET' : 'POST',
      url,
      headers: { ...bearer(LIVE), 'x-request-id': 'mine' },
      ...(body && { payload: body }),
    });

  test('has one unit for a lookup, and its operation, request and generation', async () => {
    await ask(TEN);
    const bill = { operation: 'byggelinjer', requestId: 'mine', generation: GENERATION };
    expect(access.settled).toEqual([{ keyId: 'key_live', reserved: 1, units: 1, ...bill }]);
  });

  test('has a unit for each item that was answered, each code once', async () => {
    await ask('/v1/natur/byggelinjer:batch', points(3));
    await ask('/v1/dagi/reverse:batch', points(4));
    const kode = ['0999', '999', '0888', 'X'];
    const answer = await ask('/v1/dagi:batch', { tema: 'kommune', kode });
    expect(answer.json()).toMatchObject({ requested: 3, succeeded: 2, failed: 1 });
    expect(access.settled.map(({ reserved, units }) => [reserved, units])).toEqual([
      [3, 3],
      [4, 4],
      [3, 2],
    ]);
  });

  test('has nothing for what was not answered', async () => {
    const urls = ['/v1/natur/byggelinjer?lon=900', '/v1/dagi/kommune/X', '/v1/matrikel/ejendom/1'];
    for (const url of urls) expect((await ask(url)).statusCode).toBeGreaterThanOrEqual(400);
    await ask('/v1/natur/byggelinjer:batch', points(LIMITS.linePointsPerBatch + 1));
    await ask('/v1/natur/byggelinjer:batch', points(0));
    await app.inject({ method: 'HEAD', url: TEN, headers: bearer(LIVE) });
    expect(access.settled).toEqual([]);
    expect(access.outstanding()).toBe(0);
  });

  test('has nothing for lines of which none could be answered, which claim no rung and no age', async () => {
    const dark = await testApp({
      access,
      buildingLines: {
        at: (asked, lines) =>
          atGeneration(
            asked.map((point) =>
              linesAt(point, lines, (line) => ({ status: 'unavailable', line })),
            ),
          ),
      },
    });
    const answer = await dark.inject({ url: TEN, headers: bearer(LIVE) });
    expect(answer.json()).toMatchObject({ antal_i_kraft: 0, utilgaengelige: LINE_KEYS });
    for (const name of ['cache-status', 'x-service-data-age']) {
      expect(answer.headers[name]).toBeUndefined();
    }
    expect(access.settled).toEqual([]);
  });

  test('has nothing for a copy the caller has already', async () => {
    const first = await ask('/v1/dagi/kommune/0999');
    const headers = { ...bearer(LIVE), 'if-none-match': String(first.headers['etag']) };
    const again = await app.inject({ url: '/v1/dagi/kommune/0999', headers });
    expect(again.statusCode).toBe(304);
    expect(access.settled).toHaveLength(1);
    expect(access.outstanding()).toBe(0);
  });

  test('sets nothing aside for an invalid request, and all of it back after a failed one', async () => {
    access.failing.reserve = new Failure('quota_exceeded', { retryAfterS: 77 });
    expectError(await ask('/v1/natur/byggelinjer?lon=x'), 'invalid_request');
    const answer = await ask(TEN);
    expectError(answer, 'quota_exceeded');
    expect(answer.headers['retry-after']).toBe('77');
    expect(answer.headers['ratelimit']).toContain('"month";r=123');
  });
});

test.each([
  ['GET', TEN, LIVE, 200],
  ['GET', '/v1/natur/byggelinjer?lon=x', LIVE, 400],
  ['GET', '/v1/nowhere', LIVE, 404],
  ['GET', '/nowhere', LIVE, 404],
  ['DELETE', TEN, LIVE, 405],
  ['GET', `${TEN}&nope=1`, LIVE, 400],
  ['GET', '/v1/status?nope=1', LIVE, 400],
  ['GET', '/v1/dagi/%zz/0999', LIVE, 400],
  ['GET', `/v1/dagi/kommune/${'9'.repeat(200)}`, LIVE, 400],
  ['POST', '/v1/natur/byggelinjer:batch', 'svc_live_free', 402],
  ['GET', TEN, 'svc_live_dagi', 403],
  ['GET', TEN, 'svc_pub_live_page', 403],
] as const)('the limits are told with the answer to %s %s', async (method, url, key, status) => {
  const answer = await app.inject({ method, url, headers: bearer(key) });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['ratelimit']).toContain(LEFT);
  expect(answer.headers['ratelimit-policy']).toContain('"burst";q=100;w=2, "month";q=50000');
  const unknown = await app.inject({ method, url, headers: bearer('svc_live_no') });
  expect(unknown.headers['ratelimit']).toBeUndefined();
});

test('a key that is not known by heart yet is asked for before a path is said to be nowhere', async () => {
  const { keys } = access;
  let asked = 0;
  // As a ring that has to ask for a key once.
  const find = (secret: string) => {
    asked += 1;
    return asked === 1 ? Promise.resolve(keys.find(secret)) : keys.find(secret);
  };
  const again = await testApp({ access: { ...access, keys: { find } } });
  const told = await again.inject({ url: '/nowhere', headers: bearer(LIVE) });
  expectError(told, 'not_found');
  expect(told.headers['ratelimit']).toContain('"month";r=123');
});

test('of a month that nobody has asked for yet the limits say nothing, rather than none left', async () => {
  const limits: typeof access.meter.limits = (principal, address) => ({
    ...access.meter.limits(principal, address),
    month: null,
  });
  const fresh = await testApp({ access: { ...access, meter: { ...access.meter, limits } } });
  const { headers } = await fresh.inject({ url: TEN, headers: bearer(LIVE) });
  expect(headers).toMatchObject({
    'ratelimit-policy': '"burst";q=100;w=2',
    ratelimit: '"burst";r=99;t=1',
  });
});

describe('on a real socket', async () => {
  let release: () => void = () => undefined;
  const kept = keptAccess(KEYS);
  const listening = await sharedApp({
    access: kept,
    buildingLines: {
      at: async (asked, lines, how) => {
        await new Promise<void>((resolve) => (release = resolve));
        return await LINES.at(asked, lines, how);
      },
    },
  });
  const port = await portOf(listening);

  test('a client that hangs up before its answer pays nothing and leaves nothing behind', async () => {
    const asking = send({ port, path: TEN, headers: bearer(LIVE) });
    asking.on('error', () => undefined);
    asking.end();
    await until(() => kept.outstanding() === 1);
    asking.destroy();
    await until(() => kept.outstanding() === 0);
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(kept.settled).toEqual([]);
    expect(kept.outstanding()).toBe(0);
  });

  test('a client that hangs up while its key is looked up is not counted for ever', async () => {
    const found: (() => void)[] = [];
    const slow = await testApp({
      access: {
        ...kept,
        keys: {
          find: async (secret) => {
            if (secret === LIVE) await new Promise<void>((resolve) => found.push(resolve));
            return await kept.keys.find(secret);
          },
        },
      },
    });
    const slowPort = await portOf(slow);
    const asking = Array.from({ length: HTTP_LIMITS.inFlight.account }, () => {
      const request = send({ port: slowPort, path: TEN, headers: bearer(LIVE) });
      request.on('error', () => undefined);
      request.end();
      return request;
    });
    await until(() => found.length === HTTP_LIMITS.inFlight.account);
    for (const request of asking) request.destroy();
    const connections = promisify(slow.server.getConnections.bind(slow.server));
    await until(async () => (await connections()) === 0);
    for (const resolve of found.splice(0)) resolve();
    const next = fetch(`http://127.0.0.1:${slowPort}${TEN}`, { headers: bearer(LIVE) });
    await until(() => found.length === 1);
    found[0]!();
    expect((await next).status).toBe(200);
    expect(kept.outstanding()).toBe(0);
  });

  test('so many of one account at a time, and the next is told to come back', async () => {
    const url = `http://127.0.0.1:${port}${TEN}`;
    const over = new AbortController();
    const asked = { headers: bearer(LIVE), signal: over.signal };
    const opened = Array.from({ length: HTTP_LIMITS.inFlight.account }, () =>
      fetch(url, asked).catch(() => null),
    );
    await until(() => kept.outstanding() === HTTP_LIMITS.inFlight.account);
    const refused = await fetch(url, { headers: bearer(LIVE) });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe(String(LIMITS.retryAfterS.busy));
    expect(await refused.json()).toMatchObject({ type: 'overloaded' });
    // Another account is not made to wait for it.
    const other = fetch(url, { headers: bearer('svc_live_free') });
    await until(() => kept.outstanding() === HTTP_LIMITS.inFlight.account + 1);
    release();
    expect((await other).status).toBe(200);
    over.abort();
    await Promise.all(opened);
    await until(() => kept.outstanding() === 0);
  });
});
