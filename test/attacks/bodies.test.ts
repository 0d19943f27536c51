/**
 * OWASP API4:2023 once more: a body is read by who may ask, no longer than its route has a use for, and none costs
 * too much. Over every route that the published document has, so that a new one is held to it as well.
 */
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { parseJsonBody } from '../../src/http/wire/json-body.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { expectError } from '../edge/edge.ts';
import { OPERATOR_TOKEN, attacked, bearer } from './attacked.ts';
import { operationsOf } from '../fuzz/document.ts';
import type { Published, Schema } from '../fuzz/document.ts';
import { opened } from '../support/opened.ts';

const METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Lists under a limit of their own: `a body of a job`, test/http/watch.test.ts. */
const LISTS = [
  'POST /v1/jobs',
  'POST /v1/jobs/{id}/rows',
  'POST /v1/me/overvaagning',
  'PATCH /v1/me/overvaagning/{id}',
];
/** The one body that is read from anybody. */
const SIGN_IN = '/v1/me/session';
/** Asked by nobody who is signed in (D216, D217). */
const OPEN = [SIGN_IN, `${SIGN_IN}/link`, '/v1/me/account-requests'];
/** Of pages alone, and turned off here. */
const TRIAL = '/v1/demo/noegle';

/** As clients write JSON: letters of two bytes, each value on a line of its own, indented. */
const CHAR_BYTES = 2;
const NUMBER_CHARS = 25;
const SPACE_CHARS = 10;

interface Operation {
  readonly method: string;
  readonly path: string;
  /** Bytes of the longest JSON its schema allows. */
  readonly longest: number;
}

const service = await opened(attacked());
const mallory = await service.customer('business');
const key = (await service.bench.key(mallory.id, { environment: 'live', permission: 'jobs' }))
  .secret;
const operations = operationsOf(service.app.swagger() as unknown as Published)
  .filter(({ method, path }) => METHODS.includes(method) && !LISTS.includes(`${method} ${path}`))
  .filter(({ path }) => path !== TRIAL)
  .map(({ body, ...of }): Operation => ({ ...of, longest: body === null ? 0 : longestOf(body) }));

/** Bytes that no route may read more than. */
const mostOf = ({ longest }: Operation): number => Math.max(4 * 1024, 8 * longest);

const send = ({ method, path }: Operation, payload: string, headers: Record<string, string>) =>
  service.app.inject({
    method: method as 'POST',
    url: path.replaceAll(/\{\w+\}/g, 'x'),
    headers: { host: 'geo.example', 'content-type': 'application/json', ...headers },
    payload,
  });

const sendAllowed = (operation: Operation, payload: string) => {
  const { path } = operation;
  if (path.startsWith('/v1/drift/')) return send(operation, payload, bearer(OPERATOR_TOKEN));
  if (!path.startsWith('/v1/me/')) return send(operation, payload, bearer(key));
  const { token, csrfToken } = mallory.browser;
  return send(operation, payload, { cookie: `svc_session=${token}`, 'x-csrf-token': csrfToken });
};

test('every route that takes a body is found', () => {
  expect(operations.length).toBeGreaterThan(12);
  for (const path of [SIGN_IN, '/v1/dagi:batch', '/v1/me/keys']) {
    expect(operations.map((operation) => operation.path)).toContain(path);
  }
});

test('no route reads much more than the longest body it has a use for, and says how much', async () => {
  for (const operation of operations) {
    const said = `${operation.method} ${operation.path}`;
    // Nothing at all is no body: it would sign out, or start a job.
    const fits = await sendAllowed(operation, ' '.repeat(Math.max(1, operation.longest)));
    expect(fits.statusCode, said).not.toBe(413);
    const most = mostOf(operation);
    const refused = await sendAllowed(operation, ' '.repeat(most + 1));
    const { error } = expectError(refused, 'payload_too_large');
    const limit = Number(/at most (\d+) bytes/.exec(String(error))?.[1]);
    expect(limit, said).toBeGreaterThanOrEqual(operation.longest);
    expect(limit, said).toBeLessThanOrEqual(most);
  }
});

test('nobody without a key or a session has a body read', async () => {
  for (const operation of operations) {
    if (OPEN.includes(operation.path) && operation.method === 'POST') continue;
    const said = `${operation.method} ${operation.path}`;
    // As long as the route allows, and no JSON: one that was read is 400, one measured is 413.
    for (const bytes of [operation.longest, mostOf(operation) + 1]) {
      expect((await send(operation, '['.repeat(bytes), {})).statusCode, said).toBe(401);
    }
  }
  const trial = { method: 'POST', path: TRIAL, longest: 0 } as const;
  expectError(await send(trial, '['.repeat(20 * 1024 * 1024), {}), 'not_found');
});

test('what signs in is short, so that a flood of it costs no more than its bytes', async () => {
  for (const path of OPEN) {
    const anybody = { method: 'POST', path, longest: 0 } as const;
    const large = `{"link":"${'x'.repeat(LIMITS.bodyBytes.form)}"}`;
    expectError(await send(anybody, large, {}), 'payload_too_large');
  }
  expect(LIMITS.bodyBytes.form).toBeLessThanOrEqual(4 * 1024);
});

describe('what is refused before it is parsed', () => {
  const bytes = LIMITS.bodyBytes.points;
  const KEYS = Array.from({ length: Math.floor(bytes / 12) }, (_, at) => `"k${at}":1`).join();

  test.each([
    ['lists in lists', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2), /16 levels/],
    ['objects in objects', '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6), /16 levels/],
    ['a list that never closes', '['.repeat(bytes), /16 levels/],
    ['a thousand properties and more', `{${KEYS}}`, /1000 properties/],
  ])('%s', (_what, text, says) => {
    const parse = JSON.parse;
    let parsed = 0;
    JSON.parse = (...given: Parameters<typeof parse>): unknown => {
      parsed += 1;
      return parse(...given);
    };
    try {
      expect(() => parseJsonBody(Buffer.from(text))).toThrow(says);
    } finally {
      JSON.parse = parse;
    }
    expect(parsed).toBe(0);
  });

  test('what stands in a text is no bracket and no property', () => {
    const text = JSON.stringify({ a: '[{"'.repeat(1_000), b: [[[{ c: ':\\"' }]]] });
    expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
  });
});

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  service.app.inject({ method, url, headers: bearer(key), ...(payload && { payload }) });

async function draftOf(): Promise<string> {
  const answer = await ask('POST', '/v1/jobs', { kind: 'dagi', start: false });
  return answer.json<{ job: { id: string } }>().job.id;
}

const rowsOf = (id: string, type: string, payload: string | Buffer) =>
  service.app.inject({
    method: 'POST',
    url: `/v1/jobs/${id}/rows`,
    headers: { ...bearer(key), 'content-type': type },
    payload,
  });

test('no body of a job reaches what all objects share, whatever its type', async () => {
  const id = await draftOf();
  for (const [type, body] of [
    ['application/json', '{"rows":[{"__proto__":{"polluted":1}}]}'],
    ['application/json', '{"rows":[{"__proto__":1}]}'],
    ['application/json', '{"rows":[{"a":1}],"__proto__":{"polluted":1}}'],
    ['application/x-ndjson', '{"__proto__":"polluted"}'],
    ['text/csv', '__proto__;b\n1;2'],
  ] as const) {
    expectError(await rowsOf(id, type, body), 'invalid_request');
  }
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    const answer = await rowsOf(id, 'text/csv', `${name}\n1`);
    expect(answer.statusCode, name).toBe(200);
    const columns = { x: name, y: name };
    expect(
      (await ask('POST', '/v1/jobs', { kind: 'dagi', columns, rows: [{ [name]: 1 }] })).statusCode,
    ).toBe(201);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe('a body of a job', () => {
  const quick = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    expect(performance.now() - started).toBeLessThan(HANG_MS);
  };
  const most = JOB_LIMITS.bodyBytes;

  test.each([
    ['of quotes', 'text/csv', () => 'a\n' + '"'.repeat(most - 2)],
    ['of one endless quoted cell', 'text/csv', () => 'a\n"' + 'x\n'.repeat(most / 2 - 2)],
    ['of delimiters', 'text/csv', () => 'a\n' + ';'.repeat(most - 2)],
    ['of an endless header', 'text/csv', () => 'a;'.repeat(most / 2)],
    ['of empty lines', 'text/csv', () => 'a' + '\n'.repeat(most - 1)],
    ['of rows of one letter', 'text/csv', () => 'a' + '\nb'.repeat(most / 2 - 1)],
    ['of one endless line', 'application/x-ndjson', () => '{"a":"' + 'x'.repeat(most - 6)],
    ['of braces', 'application/x-ndjson', () => '{'.repeat(most)],
    ['of brackets', 'application/json', () => '['.repeat(most)],
    ['nested in its rows', 'application/json', () => '{"rows":[' + '['.repeat(most - 9)],
    ['of commas', 'application/json', () => '{"rows":[' + ','.repeat(most - 9)],
    ['of lists', 'application/json', () => '{"a":[' + '[],'.repeat(most / 3 - 3)],
  ])('%s is refused in time', async (_what, type, body) => {
    const id = await draftOf();
    await quick(async () => {
      const answer = await rowsOf(id, type, body());
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
    });
    await ask('DELETE', `/v1/jobs/${id}`);
  });

  test('that comes a byte at a time costs no more for it', async () => {
    const id = await draftOf();
    const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/jobs/${id}/rows HTTP/1.1\r\nhost: ${new URL(base).host}\r\ncontent-type: text/csv\r\n` +
        `authorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    const bytes = 'a\n"' + 'ø'.repeat(40_000);
    await quick(async () => {
      for (const byte of Buffer.from(bytes)) {
        socket.write(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
      }
      const [head] = (await new Promise<Buffer>((resolve) => socket.once('data', resolve)))
        .toString()
        .split('\r\n');
      expect(head).toBe('HTTP/1.1 400 Bad Request');
    });
    socket.destroy();
  });
});

function longestOf(schema: Schema): number {
  const { anyOf: ways } = schema;
  if (ways !== undefined && schema.type === undefined) return Math.max(...ways.map(longestOf));
  if (schema.enum !== undefined) {
    return Math.max(...schema.enum.map((value) => JSON.stringify(value).length));
  }
  if (schema.type === 'string') {
    const { maxLength = NaN } = schema;
    expect(maxLength, 'a text of a body has a longest length').toBeGreaterThan(0);
    return 2 + CHAR_BYTES * maxLength;
  }
  if (schema.type === 'array') {
    const { maxItems = NaN, items = {} } = schema;
    expect(maxItems, 'a list of a body has a longest length').toBeGreaterThan(0);
    return 2 + maxItems * (SPACE_CHARS + 1 + longestOf(items));
  }
  if (schema.type !== 'object') return NUMBER_CHARS;
  return Object.entries(schema.properties ?? {}).reduce(
    (sum, [name, value]) => sum + SPACE_CHARS + name.length + 4 + longestOf(value),
    2 + SPACE_CHARS,
  );
}
