/**
 * OWASP's API Security Top 10 of 2023, each tried from outside. Bodies, floods, shares and jobs
 * have files of their own; what registers' faults may do to answers is the fault matrix, test/faults.
 */
import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { FOR_PAGES } from '../edge/documented.ts';
import { area, expectError, atGeneration } from '../edge/edge.ts';
import type { PublishedDocument } from '../edge/edge.ts';
import { requestAt } from '../fuzz/requests.ts';
import { operationsOf } from '../fuzz/document.ts';
import type { Published } from '../fuzz/document.ts';
import { listening, portOf } from '../support/free-port.ts';
import { opened } from '../support/opened.ts';
import { OPERATOR_TOKEN, TEN, attacked, bearer } from './attacked.ts';

/** What the registers call every area. */
let name = 'Opdigtet';
const service = await opened(
  attacked({
    areas: {
      find: (theme, codes) => atGeneration(codes.map((code) => area(theme, code, { name }))),
    },
    reverseAreas: {
      at: (points) =>
        atGeneration(
          points.map((point) => ({
            point,
            areas: [{ theme: 'kommune' as const, name, code: '0999' }],
            provenance: [{ rung: 'store' as const, ageS: 1 }],
          })),
        ),
    },
  }),
);
const { app } = service;
const alice = await service.customer('business');
const mallory = await service.customer('business');
const { paths } = app.swagger() as unknown as PublishedDocument;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods ?? {}).map(([method, operation]) => ({
    ...{ path, method: method.toUpperCase() as 'GET' | 'POST' },
    isOfOperators: JSON.stringify(operation?.security ?? []).includes('operator'),
  })),
);

test('API1: an account asked for by name is refused, not given', async () => {
  for (const url of ['/v1/me', '/v1/me/keys']) {
    for (const name of ['account', 'account_id', 'id', 'user']) {
      const answer = await mallory.browser.ask({ url: `${url}?${name}=${alice.id}` });
      expectError(answer, 'invalid_request');
      expect(answer.body).not.toContain(alice.id);
    }
  }
});

const FORGERIES: Readonly<Record<string, (secret: string) => string>> = {
  'one character short': (secret) => secret.slice(0, -1),
  'one character long': (secret) => `${secret}A`,
  'another last character': (secret) => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A'),
  'another case': (secret) => secret.toUpperCase(),
  'of the other environment': (secret) => secret.replace('live', 'test'),
  'said to be public': (secret) => secret.replace('svc_', 'svc_pub_'),
  'its prefix alone': (secret) => secret.slice(0, 15),
  'its digest': (secret) => createHash('sha256').update(secret).digest('hex'),
  'with letters that look alike': (secret) => secret.replace('svc', 'ѕvс'),
  'with a zero width space': (secret) => `${secret}\u200b`,
  'a kilobyte': () => `svc_live_${'A'.repeat(1024)}`,
  'five kilobytes': () => `svc_live_${'A'.repeat(5 * 1024)}`,
  'a pattern': () => 'svc_live_%',
  'a quote': () => "svc_live_' or '1'='1",
  'words of JavaScript': () => '__proto__',
};

test.each(Object.entries(FORGERIES))(
  'API2: a key that is %s is 401 in the header and in the address, and comes back in neither',
  async (_, forge) => {
    const forged = forge(alice.secret);
    const address = await app.inject(`${TEN}&token=${encodeURIComponent(forged)}`);
    expect(expectError(address, 'unauthorized')['code']).toBe('api_key_invalid');
    expect(address.body).not.toContain(forged);
    const sendable = Buffer.from(forged, 'utf8').toString('latin1');
    const header = await app.inject({ url: TEN, headers: bearer(sendable) });
    expect(expectError(header, 'unauthorized')['code']).toBe('api_key_invalid');
  },
);

test('API2: what belongs elsewhere opens nothing here', async () => {
  const { token, csrfToken } = alice.browser;
  for (const wrong of [token, csrfToken, alice.keyId, alice.id]) {
    expectError(await app.inject({ url: TEN, headers: bearer(wrong) }), 'unauthorized');
  }
  for (const wrong of [alice.secret, csrfToken, alice.keyId]) {
    const headers = { host: 'geo.example', cookie: `svc_session=${wrong}` };
    expectError(await app.inject({ url: '/v1/me/keys', headers }), 'unauthorized');
    expectError(await app.inject({ url: TEN, headers }), 'unauthorized');
  }
  // A session is no key: lookups are billed to keys alone.
  const session = { host: 'geo.example', cookie: `svc_session=${token}` };
  expectError(await app.inject({ url: TEN, headers: session }), 'unauthorized');
});

test('API3: nothing told of a key or an account holds a digest, and a secret is told once', async () => {
  const wanted = { name: 'Min nøgle', environment: 'live' };
  const made = await mallory.browser.ask({ method: 'POST', url: '/v1/me/keys', payload: wanted });
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

test('API4: a caller that sends its request drop by drop is not waited for at the cost of others', async () => {
  const port = await portOf(app);
  const dripping = Array.from({ length: 200 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /v1/dagi:batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n');
    return socket;
  });
  const started = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${TEN}`, { headers: bearer(mallory.secret) });
  expect(answer.status).toBe(200);
  // Before the first of them is given up.
  expect(performance.now() - started).toBeLessThan(HTTP_LIMITS.requestReceiveMs);
  expect(app.server.requestTimeout).toBe(HTTP_LIMITS.requestReceiveMs);
  for (const socket of dripping) socket.destroy();
});

test('API5: operations of operators are refused to nobody, to keys, and to customers who are signed in', async () => {
  const theirs = operations.filter(({ isOfOperators }) => isOfOperators);
  expect(theirs.length).toBeGreaterThanOrEqual(6);
  for (const { method, path } of theirs) {
    const url = path.replace('{lag}', 'soe');
    const asked = { method, url, ...(method === 'POST' && { payload: {} }) };
    for (const headers of [{}, bearer(mallory.secret), bearer(mallory.browser.token)]) {
      expectError(await app.inject({ ...asked, headers }), 'unauthorized');
    }
    expectError(await mallory.browser.ask(asked), 'forbidden');
    // In the address the token is not taken, whoever holds it.
    const named = await app.inject({ method, url: `${url}?token=${OPERATOR_TOKEN}` });
    expect(named.statusCode).toBeGreaterThanOrEqual(400);
  }
});

test('API6: many keys of one account share one burst', async () => {
  const sharer = await service.customer('free');
  const secrets = [sharer.secret];
  for (let i = 0; i < 9; i++) {
    secrets.push((await service.bench.key(sharer.id, { environment: 'live' })).secret);
  }
  const started = performance.now();
  const answers = await Promise.all(
    secrets.flatMap((secret) =>
      Array.from({ length: 5 }, () => app.inject({ url: TEN, headers: bearer(secret) })),
    ),
  );
  const served = answers.filter(({ statusCode }) => statusCode === 200).length;
  // Ten at once, and five more a second (D60) while they are asked.
  const elapsedS = (performance.now() - started) / 1_000;
  expect(served).toBeLessThanOrEqual(10 + Math.ceil(5 * elapsedS));
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
    expectError(answer, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  await service.metering.fold();
  const { rows } = await service.store.pool.query<{ used: number }>(
    'select used::integer as used from usage_month where account_id = $1',
    [sharer.id],
  );
  expect(rows).toEqual([{ used: served }]);
});

test('API7: whatever field an address is put into, nobody comes to see', async () => {
  let visits = 0;
  const trap = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  const host = `127.0.0.1:${await listening(trap)}`;
  const address = `http://${host}/`;
  onTestFinished(() => void trap.close());
  const document = app.swagger() as unknown as Published;
  const plan = {
    document,
    operations: operationsOf(document),
    keys: { live: mallory.secret, test: mallory.secret },
    seed: 'ssrf',
  };
  for (let at = 0; at < 300; at++) {
    const { method, target, headers, body } = requestAt(plan, at);
    await app.inject({
      method: method as 'GET',
      url: target.replaceAll(/=[^&]*/g, (value) =>
        value.includes('svc_') ? value : `=${encodeURIComponent(address)}`,
      ),
      headers: { ...headers, referer: address, origin: address, 'x-forwarded-host': address },
      ...(body !== null && {
        payload: body.replaceAll(/:"[^"]*"/g, `:${JSON.stringify(address)}`),
      }),
    });
  }
  for (const field of ['name', 'origins', 'permission']) {
    const value = field === 'origins' ? [host, address] : address;
    const payload = { name: 'x', environment: 'live', kind: 'public', [field]: value };
    await mallory.browser.ask({ method: 'POST', url: '/v1/me/keys', payload });
  }
  expect(visits).toBe(0);
});

test('API8: every operation answers without naming its maker, its types believed, its address kept', async () => {
  for (const { method, path } of operations) {
    const url = path.replaceAll(/\{\w+\}/g, 'x');
    const { headers } = await app.inject({ method, url });
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
});

test('API8: answers that depend on a key or a session are kept by no shared cache', async () => {
  const keyed = await app.inject({ url: TEN, headers: bearer(alice.secret) });
  expect(keyed.headers['cache-control']).toMatch(/^private/);
  for (const url of ['/v1/me', '/v1/me/keys']) {
    const answer = await alice.browser.ask({ url });
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

/** Pages and their files, and the document itself: for people, so not in it. */
const PAGES =
  /^\/(?:$|(?:docs|drift|forhold|job|konto|kort|log-ind|web|favicon\.ico|robots\.txt|openapi\.json)(?:\/|$))/;

/** The framework prints a tree: a line's path goes on from the nearest line less deep. */
function routesOf(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^(.*?)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth, Infinity, part);
    return methods
      .split(', ')
      .filter((method) => !['', 'HEAD', 'OPTIONS'].includes(method))
      .map((method) => `${method} ${above.join('')}`);
  });
}

test('API9: every route is an operation of the document or a file of a page', () => {
  const documented = operations.map(({ method, path }) => `${method} ${path}`);
  const routes = routesOf(app.printRoutes({ commonPrefix: false }));
  expect(routes.length).toBeGreaterThan(20);
  const asDocumented = (route: string) =>
    route.replaceAll('::', ':').replaceAll(/(\/):(\w+)/g, '$1{$2}');
  const hidden = routes
    .map(asDocumented)
    .filter((route) => !documented.includes(route) && !PAGES.test(route.split(' ')[1] ?? ''));
  expect(hidden).toEqual([]);
});

const HOSTILE = [
  '"}],"omraader":[{"tema":"kommune"',
  '</script><script>alert(1)</script>',
  '\u0000\u0008\u001f\u2028\u2029',
  '\ud800 alone',
  '{{7*7}} ${7*7} %s',
  '\r\nSet-Cookie: svc_session=x',
  'æøå 𐍈 \u202e',
];

test.each(HOSTILE)(
  'API10: a name like %j comes out as the same text, in its own field',
  async (text) => {
    name = text;
    onTestFinished(() => void (name = 'Opdigtet'));
    const headers = bearer(alice.secret);
    const one = await app.inject({ url: '/v1/dagi/kommune/0999', headers });
    expect(one.json<{ navn: string }>().navn.toWellFormed()).toBe(text.toWellFormed());
    const at = await app.inject({ url: '/v1/dagi/reverse?lon=12.1&lat=55.6', headers });
    const { omraader } = at.json<{ omraader: { navn: string }[] }>();
    expect(omraader.map(({ navn }) => navn.toWellFormed())).toEqual([text.toWellFormed()]);
    for (const answer of [one, at]) {
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  },
);
