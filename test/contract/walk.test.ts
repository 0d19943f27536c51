/**
 * One walk over every operation of the published document, with what clients do everywhere: a type named
 * without a body, a body where none is taken, a parameter sent twice, a number written otherwise, another
 * method. Bodies that are none come over real sockets, because what is empty is decided there.
 */
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { keptAccess } from '../edge/access.ts';
import { operationsOf, requestOf } from '../edge/documented.ts';
import type { DocumentedOperation } from '../edge/documented.ts';
import { expectError, sharedApp } from '../edge/edge.ts';
import { say } from '../support/raw-client.ts';
import type { RawAnswer } from '../support/raw-client.ts';
import { portOf } from '../support/free-port.ts';

const KEY = 'svc_live_walk';

const app = await sharedApp({ access: keptAccess({ [KEY]: { permission: 'jobs' } }) });
const port = await portOf(app);
const operations = operationsOf(app.swagger());

async function ask(first: string, headers: readonly string[] = [], body = ''): Promise<RawAnswer> {
  const head = [`${first} HTTP/1.1`, 'Host: geo.example', `Authorization: Bearer ${KEY}`];
  const text = [...head, ...headers, 'Connection: close', '', body].join('\r\n');
  const { answers } = await say(port, [text], { quietLooks: 400 });
  expect(answers, first).toHaveLength(1);
  return answers[0]!;
}

/** As `expectError` of an answer over a socket. */
function refusal({ status, headers, body }: RawAnswer): string {
  expect(status, body).toBe(400);
  const { error } = expectError({ statusCode: status, headers, body }, 'invalid_request');
  return String(error);
}

/** Where no byte of the connection decides. */
const inject = ({ headers, ...request }: InjectOptions) =>
  app.inject({ ...request, headers: { ...headers, authorization: `Bearer ${KEY}` } });

const addressOf = (operation: DocumentedOperation): string =>
  requestOf(operation).url.replaceAll(/\{\w+\}/g, 'x');

function mayBeLeftOut(body: DocumentedOperation['requestBody']): boolean {
  const { schema } = body?.content['application/json'] ?? {};
  const { anyOf } = (schema ?? {}) as { anyOf?: readonly { type?: string }[] };
  return body === undefined || anyOf?.some(({ type }) => type === 'null') === true;
}

/** Ways to say that there is no body, by clients that always say of which type it is. */
const NO_BODY: readonly (readonly [name: string, headers: readonly string[], body?: string])[] = [
  ['JSON and nothing else', ['Content-Type: application/json']],
  ['JSON of no bytes', ['Content-Type: application/json; charset=utf-8', 'Content-Length: 0']],
  ['a text of no bytes', ['Content-Type: text/plain', 'Content-Length: 0']],
  ['a text that is no type', ['Content-Type: json']],
  ['an empty type', ['Content-Type:', 'Content-Length: 0']],
  [
    'chunks of what is no type, none',
    ['Content-Type: json', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  ],
  ['a form and nothing else', ['Content-Type: application/x-www-form-urlencoded']],
  [
    'chunks of JSON, none',
    ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    '0\r\n\r\n',
  ],
  ['chunks of no type, none', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['no bytes of no type', ['Content-Length: 0']],
];

const WRONG_BODIES = [
  ['application/json', '{"a":1}'],
  ['application/json', '{'],
  ['application/xml', '<a/>'],
] as const;

describe('an operation that takes no body, or need not be sent one', () => {
  const withoutBody = (): DocumentedOperation[] =>
    operations.filter(
      ({ method, requestBody }) => ['post', 'delete'].includes(method) && mayBeLeftOut(requestBody),
    );

  test('answers the same however a client says that there is none', async () => {
    const asked = withoutBody();
    for (const { path, requestBody } of asked) {
      expect((requestBody as { required?: boolean } | undefined)?.required ?? false, path).toBe(
        false,
      );
    }
    expect(asked.length).toBeGreaterThan(8);
    for (const operation of asked) {
      const first = `${operation.method.toUpperCase()} ${addressOf(operation)}`;
      const plain = await ask(first);
      for (const [name, headers, body] of NO_BODY) {
        const answer = await ask(first, headers, body);
        expect(
          [answer.status, answer.body.replace(/"request_id":"[^"]+"/, '')],
          `${first}: ${name}`,
        ).toEqual([plain.status, plain.body.replace(/"request_id":"[^"]+"/, '')]);
      }
    }
  });

  test('refuses what it is sent all the same, and takes an object of nothing', async () => {
    const json = ['Content-Type: application/json'];
    for (const first of ['DELETE /v1/jobs/job_x', 'POST /v1/jobs/job_x/start']) {
      for (const body of ['{"a":1}', '[]', '1', '"x"']) {
        const sized = [...json, `Content-Length: ${body.length}`];
        expect(refusal(await ask(first, sized, body)), `${first} ${body}`).toMatch(
          /body|Unknown property: a\. Known here: none/,
        );
      }
      const { status } = await ask(first, [...json, 'Content-Length: 2'], '{}');
      expect(status).toBe((await ask(first)).status);
      const text = await ask(first, ['Content-Type: text/plain', 'Content-Length: 1'], 'x');
      expect(text.status).toBe(415);
      const none = await ask(first, ['Content-Type: json', 'Content-Length: 2'], '{}');
      expect(none.status, 'a body of no type').toBe(415);
    }
  });
});

describe('an address', () => {
  test('of the server as a whole is for OPTIONS alone', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'QUERY']) {
      expect(refusal(await ask(`${method} *`)), method).toMatch(/\* is for OPTIONS alone/);
    }
    expect((await ask('HEAD *')).status).toBe(400);
    expect((await ask('OPTIONS *')).status).toBe(204);
  });

  test('may be whole, as proxies send it; of no path it is refused by what is wrong', async () => {
    expect((await ask('GET http://geo.example/v1/errors')).status).toBe(200);
    expect((await ask('POST http://geo.example/v1/errors')).status).toBe(405);
    expect((await ask('OPTIONS HTTPS://geo.example:8443/v1/dagi/region/1092?x')).status).toBe(204);
    expect((await ask('POST http://geo.example/nowhere')).status).toBe(404);
    for (const address of ['v1/errors', '?lon=12', '/v1/\u00e6']) {
      expect(refusal(await ask(`GET ${address}`)), address).toMatch(/does not begin with \//);
    }
  });
});

describe('every operation', () => {
  test('is the same with its colon encoded, as gateways write it', async () => {
    const withColon = operations.filter(({ path }) => path.includes(':'));
    expect(withColon.length).toBeGreaterThan(5);
    const plainly = ({ status, body }: RawAnswer): unknown => [
      status,
      body.replace(/"request_id":"[^"]+"/, ''),
    ];
    for (const operation of withColon) {
      const { method, path } = operation;
      const asked = await ask(`${method.toUpperCase()} ${path}`);
      expect(asked.status, path).not.toBe(404);
      for (const colon of ['%3A', '%3a']) {
        const first = `${method.toUpperCase()} ${path.replace(':', colon)}`;
        expect(plainly(await ask(first)), first).toEqual(plainly(asked));
      }
      expect((await ask(`POST ${path.replace(':', '%253A')}`)).status, path).not.toBe(asked.status);
    }
  });

  test('is not named by what lies beside it: unknown is 404, and 405 never names the method', async () => {
    const paths = new Set(operations.map(({ path }) => path));
    const astray = [...paths].flatMap((path) => {
      const plain = path.replaceAll(/\{\w+\}/g, 'x');
      const more = [`${plain}.pbf`, `${plain.replace(/\.\w+$/, '')}.pbf`, `${plain}/x/y/z/w`];
      const methods = ['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const;
      return [...new Set(more)].flatMap((url) => methods.map((method) => ({ path, url, method })));
    });
    for (const { path, url, method } of astray) {
      const { statusCode: status, headers } = await app.inject({ method, url });
      const allow = headers['allow'] ?? '';
      if (status === 405) expect(allow.split(', '), `${method} ${url}`).not.toContain(method);
      if (/\}\.\w+$/.test(path)) expect(status, `${method} ${url}`).toBe(404);
    }
    expectError(await app.inject({ method: 'OPTIONS', url: '/v1/nowhere' }), 'not_found');
  });

  const gets = (): DocumentedOperation[] => operations.filter(({ method }) => method === 'get');

  test('documents the status it answers these requests with', async () => {
    for (const operation of operations) {
      if (operation.method === 'get') continue;
      const asked = { method: operation.method as 'post', url: addressOf(operation) };
      for (const [type, payload] of WRONG_BODIES) {
        const headers = { 'content-type': type };
        const { statusCode } = await inject({ ...asked, headers, payload });
        const said = `${operation.operationId} ${statusCode}`;
        expect(Object.keys(operation.responses), said).toContain(String(statusCode));
      }
    }
  });

  test('refuses a parameter that is sent twice, and names it', async () => {
    for (const operation of gets()) {
      const { parameters = [] } = operation;
      for (const { name, in: place, schema } of parameters) {
        if (place !== 'query' || (schema !== undefined && 'anyOf' in schema)) continue;
        const url = addressOf(operation);
        const more = `${url.includes('?') ? '&' : '?'}${name}=1&${name}=2`;
        const answer = await inject({ url: `${url}${more}` });
        // Behind a sign-in nobody learns of mistakes.
        if ([401, 403, 503].includes(answer.statusCode)) continue;
        const { error } = expectError(answer, 'invalid_request');
        expect(error, url).toBe(`The parameter ${name} is given more than once.`);
      }
    }
  });

  test('tells HEAD what GET is told, without the body; and who asks otherwise what is allowed', async () => {
    for (const operation of gets()) {
      const url = addressOf(operation);
      if (url.endsWith('/events') || url === '/metrics') continue;
      const got = await inject({ url });
      const head = await ask(`HEAD ${url}`);
      expect([head.status, head.body], url).toEqual([got.statusCode, '']);
      const options = await inject({ method: 'OPTIONS', url });
      expect(options.statusCode, url).toBe(204);
      expect(options.headers['allow'], url).toContain('GET, HEAD, OPTIONS');
      const { status, headers, body } = await ask(`QUERY ${url}`);
      expect(status, url).toBe(405);
      expectError({ statusCode: status, headers, body }, 'method_not_allowed');
    }
  });
});
