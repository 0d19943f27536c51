/** Receivers that speak HTTP in lawful but unusual ways: what a plain HTTP client takes, a delivery takes. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { afterInterim } from '../../src/webhooks/interim.ts';
import { createTransport } from '../../src/webhooks/transport.ts';
import type { Answered, Transport } from '../../src/webhooks/transport.ts';
import { makeAuthority } from './certificates.ts';

/** Says its pieces, one write each, and closes or not. */
interface Script {
  readonly says: readonly string[];
  /** Does not wait for the body of the request, nor read it. */
  readonly isEarly?: boolean;
  readonly ends?: 'close' | 'stay';
}

let script: Script = { says: [] };
let port: number;
let connections = 0;
let transport: Transport;
const open = new Set<TLSSocket>();
const authority = makeAuthority();
const server = createServer(authority.issue('DNS:hooks.example'), (socket) => {
  connections += 1;
  open.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => open.delete(socket));
  const speak = async () => {
    for (const piece of script.says) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (script.ends !== 'stay') socket.end();
  };
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
    if (script.isEarly === true) {
      socket.pause();
      void speak();
    } else if (heard.endsWith('{"id":"x"}')) {
      heard = '';
      void speak();
    }
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
// A connection of the test before may be closing.
beforeEach(() => {
  transport = createTransport({ ca: authority.ca, proxy: null });
});
afterEach(() => transport.close());
afterAll(() => {
  for (const socket of open) socket.destroy();
  server.close();
});

async function post(body = '{"id":"x"}'): Promise<Answered> {
  const url = new URL(`https://hooks.example:${port}/hook`);
  const target = { url, host: 'hooks.example', port, address: '127.0.0.1' };
  const headers = { 'content-type': 'application/json' };
  return await transport.post(target, { headers, body }, AbortSignal.timeout(5_000));
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n';

const TAKEN: readonly (readonly [name: string, script: Script, status: number])[] = [
  ['HTTP/1.0 that ends with its connection', { says: ['HTTP/1.0 200 OK\r\n\r\nok'] }, 200],
  ['HTTP/1.0 without a body', { says: ['HTTP/1.0 204 No Content\r\n\r\n'] }, 204],
  ['HTTP/1.0 with a length', { says: ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'] }, 200],
  ['HTTP/1.1 that ends with its connection', { says: ['HTTP/1.1 200 OK\r\n\r\nok'] }, 200],
  [
    'Connection: close and no length',
    { says: ['HTTP/1.1 202 Accepted\r\nConnection: close\r\n\r\nlater'] },
    202,
  ],
  ['no reason', { says: ['HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n'], ends: 'stay' }, 200],
  ['no reason and no blank', { says: ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'] }, 200],
  [
    'a reason in Danish',
    { says: ['HTTP/1.1 200 Det er i orden, \xe6\r\nContent-Length: 0\r\n\r\n'] },
    200,
  ],
  ['a status of its own', { says: ['HTTP/1.1 299 Fine\r\nContent-Length: 0\r\n\r\n'] }, 299],
  [
    'chunks with extensions and trailers',
    {
      says: [
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n',
        '2;name=value;q="a;b"\r\nok\r\n0;last\r\nX-Sum: 1\r\n\r\n',
      ],
      ends: 'stay',
    },
    200,
  ],
  ['100 before the answer', { says: ['HTTP/1.1 100 Continue\r\n\r\n', OK], ends: 'stay' }, 200],
  ['100 in one piece with it', { says: [`HTTP/1.1 100 Continue\r\n\r\n${OK}`], ends: 'stay' }, 200],
  [
    '100 with headers, cut anywhere',
    { says: ['HTTP/1.', '1 100 Continue\r\nX-A', ': 1\r\n', '\r', `\n${OK}`], ends: 'stay' },
    200,
  ],
  [
    '100 twice, without a reason',
    { says: ['HTTP/1.1 100\r\n\r\nHTTP/1.1 100 \r\n\r\n', EMPTY] },
    204,
  ],
  [
    '102 and 103',
    {
      says: [
        'HTTP/1.1 102 Processing\r\n\r\n',
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
        OK,
      ],
    },
    200,
  ],
  [
    '100, 103 and another status',
    { says: ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\n\r\n', EMPTY], ends: 'stay' },
    204,
  ],
  [
    '204 with headers of a body',
    {
      says: ['HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\nX-A: 1\r\n\r\n'],
      ends: 'stay',
    },
    204,
  ],
  ['205', { says: ['HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n'], ends: 'stay' }, 205],
  [
    'bare line feeds in no place, blanks around values',
    { says: ['HTTP/1.1 200 OK\r\nContent-Length:   2  \r\nX-A:\r\n\r\nok'] },
    200,
  ],
  [
    'headers one byte at a time',
    { says: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.split(''), ends: 'stay' },
    200,
  ],
  [
    'a body that begins as a head does',
    { says: ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n', 'H'], ends: 'stay' },
    200,
  ],
  [
    'a body that is an interim head',
    {
      says: [
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n19\r\n',
        'HTTP/1.1 100 Continue\r\n\r\n\r\n0\r\n\r\n',
      ],
      ends: 'stay',
    },
    200,
  ],
  ['an answer before it has read', { says: [OK], isEarly: true, ends: 'stay' }, 200],
  ['an answer before it has read, and its end', { says: [EMPTY], isEarly: true }, 204],
  [
    'many cookies',
    { says: [`HTTP/1.1 200 OK\r\n${'Set-Cookie: a=b\r\n'.repeat(50)}Content-Length: 0\r\n\r\n`] },
    200,
  ],
  [
    'a redirect, which is not followed',
    { says: ['HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'] },
    302,
  ],
];

describe('a receiver that answers with', () => {
  test('its answer before it has read a body that fills the line is understood', async () => {
    script = { says: [OK], isEarly: true, ends: 'stay' };
    expect(await post(`"${'x'.repeat(8 * 1024 * 1024)}"`)).toEqual({
      kind: 'answered',
      statusCode: 200,
    });
  });

  test.each(TAKEN)('%s is understood', async (_, told, statusCode) => {
    script = told;
    expect(await post()).toEqual({ kind: 'answered', statusCode });
    if (told.isEarly === true || told.ends !== 'stay') return;
    // And another time, on the same connection.
    expect(await post()).toEqual({ kind: 'answered', statusCode });
  });

  test.each([
    ['no HTTP', { says: ['hello\r\n\r\n'] }],
    ['an answer cut off', { says: ['HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok'] }],
    ['nothing but 100', { says: ['HTTP/1.1 100 Continue\r\n\r\n'] }],
    ['a head without end', { says: [`HTTP/1.1 100 C\r\nX: ${'x'.repeat(200_000)}`] }],
    [
      'another protocol it was not asked for',
      { says: ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'] },
    ],
  ] as const)('%s has not answered', async (_, told) => {
    script = told;
    expect(await post()).toMatchObject({ kind: 'failed' });
  });

  test('100s keeps its connection', async () => {
    script = { says: ['HTTP/1.1 100 Continue\r\n\r\n', OK], ends: 'stay' };
    await post();
    const before = connections;
    for (let n = 0; n < 5; n++) expect(await post()).toMatchObject({ statusCode: 200 });
    // The pool opens another where one has not seen its answer's end yet.
    expect(connections - before).toBeLessThan(4);
  });
});

describe('interim answers', () => {
  const OK_HEAD = 'HTTP/1.1 200 OK\r\n\r\n';
  test.each([
    ['', ''],
    ['HTTP/1.1 200', 'HTTP/1.1 200'],
    ['ok', 'ok'],
    ['HTTP/1.1 10', 'more'],
    ['HTTP', 'more'],
    ['HTTP/1.1 100 Continue\r\nX: 1\r\n', 'more'],
    ['HTTP/1.1 100 Continue\r\n\r\n', ''],
    [`HTTP/1.1 100 Continue\r\n\r\n${OK_HEAD}`, OK_HEAD],
    [`HTTP/1.1 103 E\r\n\r\nHTTP/1.0 100\r\n\r\n${OK_HEAD}`, OK_HEAD],
    ['HTTP/1.1 101 S\r\n\r\n', 'HTTP/1.1 101 S\r\n\r\n'],
    ['HTTP/1.1 1000', 'HTTP/1.1 1000'],
  ])('are what stands before the answer: %j', (bytes, rest) => {
    expect(String(afterInterim(Buffer.from(bytes)))).toBe(rest);
  });
});
