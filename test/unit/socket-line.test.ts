/** A connection on the fast path: how long it is waited for, and that none is kept. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HEAD_ROOM } from '../../src/http/fast-path/exchange.ts';
import type { Exchange } from '../../src/http/fast-path/exchange.ts';
import { SocketLine } from '../../src/http/fast-path/socket-line.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { LineKeeper } from '../../src/http/fast-path/socket-line.ts';

const HEAD = 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n';
const RECEIVE_MS = 100;
const KEEP_ALIVE_MS = 100;

let server: Server;
let client: Socket;
let lines: Set<SocketLine>;
let told: string[];
let handedOver: Socket[];
let asked: Exchange[];
let isTaken: boolean;
let sent: number;
let received: string;
let isClosed: boolean;

beforeEach(async () => {
  [lines, told, handedOver, asked, isTaken, sent, received, isClosed] = [
    ...[new Set<SocketLine>(), [], [], [], true, 0, '', false],
  ] as [Set<SocketLine>, string[], Socket[], Exchange[], boolean, number, string, boolean];
  const keeper: LineKeeper = {
    tryHandle: (exchange) => {
      asked.push(exchange);
      return isTaken;
    },
    handOver: (socket) => {
      handedOver.push(socket);
      socket.on('data', (chunk: Buffer) => told.push(chunk.toString('latin1')));
    },
    tooSlow: (socket) => {
      told.push('too slow');
      socket.destroy();
    },
    gone: (line) => lines.delete(line),
    keepAliveMs: KEEP_ALIVE_MS,
    receiveMs: RECEIVE_MS,
    nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5),
  };
  server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    lines.add(new SocketLine(socket, keeper)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = connect({ port, host: '127.0.0.1' });
  const own = client;
  client.on('data', (chunk) => (received += chunk.toString('latin1')));
  // Of a client of the test before it is heard late.
  client.on('close', () => (isClosed ||= own === client));
  client.on('error', () => undefined);
  await once(client, 'connect');
});
afterEach(() => {
  client.destroy();
  for (const socket of handedOver) socket.destroy();
  server.close();
});

const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 1_000 && !holds(); tries++) await sleep(5);
  expect(holds()).toBe(true);
};

function answer(exchange: Exchange, body = '{}'): void {
  const room = Buffer.alloc(HEAD_ROOM + body.length);
  room.write(body, HEAD_ROOM);
  exchange.send({ requestId: 'r1', shared: ['x-a', 'b'] }, room, () => sent++);
}

async function askOnce(): Promise<Exchange> {
  const before = asked.length;
  client.write(HEAD);
  await until(() => asked.length > before);
  return asked.at(-1)!;
}

test('an answer is a whole head and its body', async () => {
  answer(await askOnce());
  await until(() => sent === 1 && received.endsWith('{}'));
  expect(received.split('\r\n')).toEqual([
    'HTTP/1.1 200 OK',
    'x-a: b',
    'Date: Fri, 02 Jan 2026 03:04:05 GMT',
    'Connection: keep-alive',
    'Keep-Alive: timeout=0',
    'x-request-id: r1',
    'content-length: 2',
    '',
    '{}',
  ]);
});

test('who never says anything is told so', async () => {
  await until(() => told.length === 1 && isClosed);
  expect([told, lines.size, handedOver.length]).toEqual([['too slow'], 0, 0]);
});

test('at rest it is closed, a moment after the client was told', async () => {
  answer(await askOnce());
  const start = performance.now();
  await until(() => isClosed);
  expect(performance.now() - start).toBeGreaterThan(KEEP_ALIVE_MS + LIMITS.keepAliveGraceMs - 100);
  expect([told, lines.size]).toEqual([[], 0]);
}, 10_000);

test('a question is waited with as long as it takes', async () => {
  const exchange = await askOnce();
  await sleep(3 * RECEIVE_MS);
  expect(isClosed).toBe(false);
  answer(exchange);
  await until(() => received.endsWith('{}'));
});

test('what is not taken goes to node whole, and all after it', async () => {
  isTaken = false;
  client.write(HEAD);
  await until(() => told.length === 1);
  client.write('more');
  await until(() => told.length === 2);
  expect([told, lines.size, asked.length]).toEqual([[HEAD, 'more'], 0, 1]);
  await sleep(2 * RECEIVE_MS);
  expect(isClosed).toBe(false);
});

test('what comes during an answer goes to node after it', async () => {
  const exchange = await askOnce();
  client.write('some');
  await sleep(30);
  client.write('thing');
  await sleep(30);
  expect(handedOver).toEqual([]);
  answer(exchange);
  await until(() => told.join('') === 'something');
  expect([received.endsWith('{}'), sent]).toEqual([true, 1]);
});

test('a question given up goes to node, with what came behind it', async () => {
  const exchange = await askOnce();
  client.write('behind');
  await sleep(30);
  exchange.useFullPipeline();
  await until(() => told.join('') === `${HEAD}behind`);
  expect(sent).toBe(0);
});

test('one that is to be closed is closed after its answer', async () => {
  const exchange = await askOnce();
  for (const line of lines) line.close();
  await sleep(30);
  expect(isClosed).toBe(false);
  answer(exchange);
  await until(() => isClosed);
  expect([received.endsWith('{}'), lines.size]).toEqual([true, 0]);
});

test('an answer to who has hung up is told as sent, and all is let go', async () => {
  const exchange = await askOnce();
  client.resetAndDestroy();
  await until(() => exchange.isGone);
  answer(exchange);
  await until(() => sent === 1);
  expect(lines.size).toBe(0);
});

test('a client that reads nothing is not waited for for ever', async () => {
  answer(await askOnce());
  await until(() => sent === 1);
  client.pause();
  answer(await askOnce(), 'x'.repeat(16 * 1024 * 1024));
  await until(() => lines.size === 0);
  expect(sent).toBe(2);
}, 20_000);
