/** Every answer that is not 2xx, on every path, carries the six fields. */
import { connect } from 'node:net';
import { say } from '../support/raw-client.ts';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { Failure } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { expectError, memoryApp, sharedApp, testApp } from './edge.ts';
import { linesInto } from '../support/log.ts';
import { portOf } from '../support/free-port.ts';

const app = await sharedApp();

const BATCH = '/v1/dagi/reverse:batch';

const post = (type: string, payload: string, more = {}): InjectOptions => ({
  ...{ method: 'POST', url: BATCH, payload },
  headers: { 'content-type': type, ...more },
});
const JSON_TYPE = 'application/json';

const REQUESTS: readonly (readonly [name: string, request: InjectOptions, type: FailureType])[] = [
  ['an unknown path', { url: '/nothing' }, 'not_found'],
  ['an unknown path below a known one', { url: '/v1/natur' }, 'not_found'],
  ['a trailing slash', { url: '/v1/status/' }, 'not_found'],
  ['another case', { url: '/V1/status' }, 'not_found'],
  ['an unknown path with a body', { method: 'POST', url: '/x', payload: '<a/>' }, 'not_found'],
  ['a missing guide', { url: '/docs/nothing' }, 'not_found'],
  ['a path out of the documentation', { url: '/docs/..%2f..%2fpackage.json' }, 'not_found'],
  ['a page with a slash', { url: '/drift/' }, 'not_found'],
  ['a file of a page that it has not', { url: '/drift/index.html' }, 'not_found'],
  ['a page by another way', { url: '/drift/..%2fdrift' }, 'not_found'],
  ['a script that there is not', { url: '/web/nothing.js' }, 'not_found'],
  ['an unknown failure class', { url: '/v1/errors/nothing' }, 'not_found'],
  ['POST where only GET is', { method: 'POST', url: '/v1/status' }, 'method_not_allowed'],
  ['GET where only POST is', { url: BATCH }, 'method_not_allowed'],
  ['PUT of another type', { ...post('text/xml', '<a/>'), method: 'PUT' }, 'method_not_allowed'],
  ['a method few know', { method: 'PROPFIND', url: '/healthz' }, 'method_not_allowed'],
  ['malformed JSON', post(JSON_TYPE, '{'), 'invalid_request'],
  ['a wrong percent-encoding', { url: '/v1/errors/%zz' }, 'invalid_request'],
  ['a half percent-encoding', { url: '/v1/errors/%' }, 'invalid_request'],
  ['a percent-encoding of no text', { url: '/v1/errors/%ff' }, 'invalid_request'],
  ['a long path parameter', { url: `/v1/errors/${'x'.repeat(101)}` }, 'invalid_request'],
  ['a body of XML', post('text/xml', '<a/>'), 'unsupported_media_type'],
  ['a form', post('application/x-www-form-urlencoded', 'a=1'), 'unsupported_media_type'],
  ['a nonsense type', post(';;;', '{}'), 'unsupported_media_type'],
  ['another charset', post(`${JSON_TYPE}; charset=utf-16`, '{}'), 'unsupported_media_type'],
  [
    'a compressed body',
    post(JSON_TYPE, '{}', { 'content-encoding': 'gzip' }),
    'unsupported_media_type',
  ],
  [
    'a body too large',
    post(JSON_TYPE, ' '.repeat(LIMITS.bodyBytes.fewPoints + 1)),
    'payload_too_large',
  ],
  ['the cadastre', { url: '/v1/matrikel/ejendom/100' }, 'upstream_unavailable'],
  ['companies', { url: '/v1/cvr/99000007' }, 'upstream_error'],
  ['assessments', { url: '/v1/vurdering/100' }, 'upstream_error'],
  ['place names', { url: '/v1/stednavne?q=by' }, 'upstream_unavailable'],
];

describe('the error object', () => {
  test.each(REQUESTS)('is whole for %s', async (_name, request, type) => {
    const response = await app.inject(request);
    expectError(response, type);
    if (type === 'method_not_allowed') {
      expect(String(response.headers['allow']).split(', ')).not.toContain(request.method);
      expect(response.headers['allow']).toMatch(/OPTIONS/);
    }
    if (request.method !== undefined || request.url === BATCH) return;
    const head = await app.inject({ ...request, method: 'HEAD' });
    expect([head.statusCode, head.body]).toEqual([response.statusCode, '']);
    expect(head.headers['x-request-id']).toBe('fresh-id');
  });

  test('tells a failure of a lookup with its class, code, Retry-After and both languages', async () => {
    const said = { error: 'No room is left.', errorDa: 'Der er ikke plads.' };
    const full = new Failure('overloaded', { ...said, code: 'job_disk_full', retryAfterS: 30 });
    const failing = await testApp({ status: () => Promise.reject(full) });
    const response = await failing.inject('/v1/status');
    const body = expectError(response, 'overloaded');
    expect(body).toMatchObject({
      error: 'No room is left.',
      message: 'Der er ikke plads.',
      code: 'job_disk_full',
      request_id: 'fresh-id',
      doc_url: 'https://geo.example/v1/errors/overloaded',
    });
    expect(response.headers['retry-after']).toBe('30');
  });

  test('says nothing of what broke inside, which only the log is told, without keys', async () => {
    const lines: string[] = [];
    const logStream = linesInto(lines);
    const cause = new Error('GET https://wfs.example/x?apikey=hemmelig&b=1 answered 500');
    const broken = new TypeError('password=hemmelig x is not a function', { cause });
    const reverseAreas = { at: () => Promise.reject(broken) };
    const breaking = await testApp({ reverseAreas }, { logLevel: 'info', logStream });
    const response = await breaking.inject('/v1/dagi/reverse?lon=12&lat=55.5&token=hemmelig');
    const body = expectError(response, 'internal_error');
    expect(body['error']).toBe('An internal error occurred.');
    expect(response.body).not.toMatch(/hemmelig|TypeError|function/);
    const log = lines.join('');
    for (const told of ['x is not a function', 'wfs.example', '"request_id":"fresh-id"']) {
      expect(log).toContain(told);
    }
    expect(log).toContain('"path":"/v1/dagi/reverse"');
    expect(log).not.toContain('hemmelig');
  });

  test('survives things thrown that are no errors', async () => {
    let thrown: unknown;
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const breaking = await testApp({ reverseAreas: { at: () => Promise.reject(thrown) } });
    for (thrown of [null, undefined, 'text', 7, { statusCode: 200 }, { code: 'FST_X' }]) {
      const response = await breaking.inject('/v1/dagi/reverse?lon=12&lat=55.5');
      expectError(response, 'internal_error');
    }
  });
});

describe('the request id', () => {
  test('is the caller own when it is 1 to 64 of the allowed characters', async () => {
    for (const own of ['a', 'A.b_c-9', 'x'.repeat(64)]) {
      const headers = { 'x-request-id': own };
      const good = await app.inject({ url: '/healthz', headers });
      expect(good.headers['x-request-id']).toBe(own);
      const bad = expectError(await app.inject({ url: '/no', headers }), 'not_found');
      expect(bad['request_id']).toBe(own);
      expectError(await app.inject({ url: '/%zz', headers }), 'invalid_request');
    }
  });

  test('is a fresh one for anything else', async () => {
    for (const own of ['', 'x'.repeat(65), 'a b', 'æ', '<b>', 'a,b']) {
      const response = await app.inject({ url: '/healthz', headers: { 'x-request-id': own } });
      expect(response.headers['x-request-id']).toBe('fresh-id');
    }
  });
});

test.each(['127.0.0.1', '0.0.0.0', '::'])(
  'doc_url without a public address has the plain Host of the caller, else where %s is listened at',
  async (listened) => {
    const open = await testApp({}, { publicUrl: null });
    const port = Number(new URL(await open.listen({ host: listened, port: 0 })).port);
    const docOf = async (bytes: string) => {
      const { answers } = await say(port, [bytes]);
      return (JSON.parse(answers[0]!.body) as { doc_url: string }).doc_url;
    };
    const own = `127.0.0.1:${port}`;
    for (const [host, told] of [
      // Whoever serves geo.example has a port of its own before this one.
      ...['127.0.0.1:8080', '[::1]:8080', 'geo.example'].map((plain) => [plain, plain] as const),
      ['localhost', `localhost:${port}`] as const,
      ...['a/b', 'a b', '<b>', 'user@host', 'a?b', 'x'.repeat(300)].map(
        (odd) => [odd, own] as const,
      ),
    ]) {
      const asked = `GET /no HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await docOf(asked)).toBe(`http://${told}/v1/errors/not_found`);
    }
    expect(await docOf('GET /no HTTP/1.0\r\n\r\n')).toBe(`http://${own}/v1/errors/not_found`);
    for (const broken of ['GET /næ HTTP/1.1\r\nHost: localhost\r\n\r\n', 'rubbish\r\n\r\n']) {
      expect(await docOf(broken)).toBe(`http://${own}/v1/errors/invalid_request`);
    }
  },
);

describe('on the bare socket', () => {
  let port: number;
  beforeAll(async () => {
    port = await portOf(app);
  });

  async function exchange(bytes: string) {
    const [answer] = (await say(port, [bytes])).answers;
    return {
      statusCode: answer?.status ?? 0,
      headers: answer?.headers ?? {},
      body: answer?.body ?? '',
    };
  }

  const end = 'Host: a\r\nConnection: close\r\n\r\n';

  test.each([
    [
      'headers over the limit',
      `GET /healthz HTTP/1.1\r\nX: ${'a'.repeat(LIMITS.headerBytes)}\r\n${end}`,
      /16384 bytes/,
    ],
    [
      'an address over the limit',
      `GET /healthz?token=${'a'.repeat(LIMITS.headerBytes)} HTTP/1.1\r\n${end}`,
      /16384 bytes/,
    ],
    ['no HTTP', 'hello\r\n\r\n', /not valid HTTP/],
    [
      'a letter outside ASCII',
      `GET /v1/adresser?q=Nørregade HTTP/1.1\r\n${end}`,
      /percent-enc.*%C3%A6/,
    ],
    ['a space in the address', `GET /v1/adresser?q=a b HTTP/1.1\r\n${end}`, /percent-enc.*%20/],
    ['a missing Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', /./],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00', /not valid HTTP/],
    [
      'two lengths',
      `POST ${BATCH} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${end}`,
      /not valid HTTP/,
    ],
    ['an expectation', `POST ${BATCH} HTTP/1.1\r\nExpect: miracles\r\n${end}`, /Expect header/],
    [
      'a cut-off chunk',
      `POST ${BATCH} HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nHost: a\r\n\r\nZZ\r\n`,
      /./,
    ],
  ])('six fields answer %s', async (_name, bytes, says) => {
    const response = await exchange(bytes);
    const body = expectError(response, 'invalid_request');
    expect(body['error']).toMatch(says);
    expect(response.headers['connection']).toBe('close');
  });

  test('two Hosts are answered with six fields, wherever one of them might be believed', async () => {
    for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nHost: a', 'Host: a, b']) {
      const end = 'Connection: close\r\n\r\n';
      for (const path of ['/healthz', '/v1/natur/byggelinjer?lon=12.1&lat=55.6']) {
        const response = await exchange(`GET ${path} HTTP/1.1\r\n${hosts}\r\n${end}`);
        expectError(response, 'invalid_request');
        expect(response.body).toContain('must be one host');
      }
    }
  });

  test('OPTIONS * tells what the service as a whole allows', async () => {
    const response = await exchange(`OPTIONS * HTTP/1.1\r\n${end}`);
    expect(response.statusCode).toBe(204);
    expect(response.headers['allow']).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
  });

  test('a request that arrives while the service closes gets six fields', async () => {
    const begun = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<'ready'>();
    const readiness = () => {
      begun.resolve(undefined);
      return held.promise;
    };
    const closing = await memoryApp({ readiness });
    const base = await closing.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const heard = readText(socket);
    socket.write('GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n');
    await begun.promise;
    const closed = closing.close();
    await sleep(50);
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await sleep(50);
    held.resolve('ready');
    await closed;
    const text = await heard;
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(text).toMatch(/HTTP\/1\.1 503 [^]*retry-after: 5[^]*"type":"overloaded"/);
  });

  test('a caller who hangs up in the middle of a body leaves the service well', async () => {
    const half = 'Content-Type: application/json\r\nContent-Length: 500\r\nHost: a\r\n\r\n{';
    await say(port, [`POST ${BATCH} HTTP/1.1\r\n${half}`], { quietLooks: 10 });
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });
});
