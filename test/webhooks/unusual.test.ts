/** Receivers that speak HTTP in lawful but unusual ways: what a plain HTTP client takes, a delivery takes. */
import { createServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTransport } from '../../src/webhooks/transport.ts';
import type { Answered, Transport } from '../../src/webhooks/transport.ts';
import { makeAuthority } from './certificates.ts';
import { listening } from '../support/free-port.ts';

interface Script {
  readonly says: readonly string[];
  /** Does not wait for the body of the request, nor read it. */
  readonly isEarly?: boolean;
  readonly ends?: 'close' | 'stay';
}

let script: Script = { says: [] };
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

const port = await listening(server);
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
const HEAD = 'HTTP/1.1 200 OK\r\n';
const EMPTY = 'HTTP/1.1 204 No Content\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const NONE = 'Content-Length: 0\r\n\r\n';
const COOKIES = 'Set-Cookie: a=b\r\n'.repeat(50);

/** What it says and the status of that; whose connection stays may be asked again. */
const TAKEN: readonly (readonly [string, number, NonNullable<Script['ends']>, ...string[]])[] = [
  ['HTTP/1.0 that ends with its connection', 200, 'close', 'HTTP/1.0 200 OK\r\n\r\nok'],
  ['HTTP/1.0 without a body', 204, 'close', 'HTTP/1.0 204 No Content\r\n\r\n'],
  ['HTTP/1.0 with a length', 200, 'close', `HTTP/1.0 200 OK\r\n${NONE}`],
  ['HTTP/1.1 that ends with its connection', 200, 'close', `${HEAD}\r\nok`],
  ['Connection: close and no length', 200, 'close', `${HEAD}Connection: close\r\n\r\nlater`],
  ['no reason', 200, 'stay', `HTTP/1.1 200 \r\n${NONE}`],
  ['no reason and no blank', 200, 'close', `HTTP/1.1 200\r\n${NONE}`],
  ['a reason in Danish', 200, 'close', `HTTP/1.1 200 Det er i orden, \xe6\r\n${NONE}`],
  ['a status of its own', 299, 'close', `HTTP/1.1 299 Fine\r\n${NONE}`],
  [
    ...(['chunks with extensions and trailers', 200, 'stay'] as const),
    `${HEAD}Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n`,
    '2;name=value;q="a;b"\r\nok\r\n0;last\r\nX-Sum: 1\r\n\r\n',
  ],
  ['100 before the answer', 200, 'stay', CONTINUE, OK],
  ['100 in one piece with it', 200, 'stay', `${CONTINUE}${OK}`],
  [
    ...(['100 with headers, cut anywhere', 200, 'stay'] as const),
    ...['HTTP/1.', '1 100 Continue\r\nX-A', ': 1\r\n', '\r', `\n${OK}`],
  ],
  ['100 twice, without a reason', 204, 'close', 'HTTP/1.1 100\r\n\r\nHTTP/1.0 100 \r\n\r\n', EMPTY],
  [
    ...(['102 and 103', 200, 'close'] as const),
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    OK,
  ],
  ['100, 103 and another status', 204, 'stay', `${CONTINUE}HTTP/1.1 103 E\r\n\r\n`, EMPTY],
  ['204 with headers of a body', 204, 'stay', EMPTY.replace('\r\n', '\r\nContent-Type: a/b\r\n')],
  ['205', 205, 'stay', `HTTP/1.1 205 Reset Content\r\n${NONE}`],
  ['blanks around values', 200, 'close', `${HEAD}Content-Length:   2  \r\nX-A:\r\n\r\nok`],
  ['headers one byte at a time', 200, 'stay', ...`${HEAD}${NONE}`.split('')],
  ['a body that begins as a head does', 200, 'stay', `${HEAD}Content-Length: 1\r\n\r\n`, 'H'],
  [
    ...(['a body that is an interim head', 200, 'stay'] as const),
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n19\r\n`,
    `${CONTINUE}\r\n0\r\n\r\n`,
  ],
  ['many cookies', 200, 'close', `${HEAD}${COOKIES}${NONE}`],
  ['a redirect, which is not followed', 302, 'close', `HTTP/1.1 302 F\r\nLocation: /x\r\n${NONE}`],
];

describe('a receiver that answers with', () => {
  test.each([
    ['stays, to a body that fills the line', { says: [OK] }, 200, 'x'.repeat(8 * 1024 * 1024)],
    ['stays', { says: [OK] }, 200, undefined],
    ['ends', { says: [EMPTY], ends: 'close' }, 204, undefined],
  ] as const)(
    'its answer before it has read, and %s, is understood',
    async (_, said, statusCode, body) => {
      script = { ends: 'stay', isEarly: true, ...said };
      expect(await post(body)).toEqual({ kind: 'answered', statusCode });
    },
  );

  const taken = TAKEN.map(([name, status, ends, ...says]) => ({
    name,
    status,
    said: { says, ends },
  }));
  test.each(taken)('$name is understood', async ({ status: statusCode, said }) => {
    script = said;
    expect(await post()).toEqual({ kind: 'answered', statusCode });
    // And another time, on the same connection.
    if (said.ends === 'stay') expect(await post()).toEqual({ kind: 'answered', statusCode });
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
