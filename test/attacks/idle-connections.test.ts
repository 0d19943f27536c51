/**
 * Connections that do nothing, from few addresses and from many, shut nobody out: a bystander opens one
 * after the other, and each is answered. One address has its limit.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { say } from '../support/raw-client.ts';
import { isHeavy } from '../support/run-settings.ts';
import { until } from '../support/until.ts';
import { floodWithoutEnd, startService } from './bystander.ts';
import type { AttackedService } from './bystander.ts';

/** By day a small copy of the limits. */
const { total, address, asked } = isHeavy
  ? { ...HTTP_LIMITS.connections, asked: 1_000 }
  : { total: 256, address: 64, asked: 100 };
/** Of all that the bystander asks, for one address each; from few addresses none is refused. */
const REFUSED_MOST = 0.01;
const SETTLING_MS = isHeavy ? 2_000 : 500;

const LOOKUP = '/v1/natur/byggelinjer';
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const KINDS: Readonly<Record<string, string>> = {
  silent: '',
  'half a head': 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-More: ',
  'half a body': [
    ...[`POST ${LOOKUP}:batch HTTP/1.1`, 'Host: x', 'Authorization: Bearer svc_live_one'],
    ...['Content-Type: application/json', 'Content-Length: 99', '', '{'],
  ].join('\r\n'),
  'one probe, then silent': HEALTH,
};

async function refusedNewcomers(port: number): Promise<number> {
  let refused = 0;
  for (let n = 0; n < asked; n += 1) {
    const path = n % 2 === 0 ? '/healthz' : `${LOOKUP}?lon=12.1&lat=55.6`;
    const status = await statusOf(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    if (status !== '200') refused += 1;
  }
  return refused;
}

async function statusOf(port: number, head: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.end(`${head}Authorization: Bearer svc_live_two\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  return text.split(' ')[1] ?? 'none';
}

const AMOUNTS = isHeavy ? [4, 40, 4_000] : [4, 250];
const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  ...(isHeavy && Object.fromEntries(Object.entries(KINDS).map(([kind, text]) => [kind, [text]]))),
  'of every kind': Object.values(KINDS),
};

describe.each([1, 3])('%i threads', (threads) => {
  let service: AttackedService;
  beforeAll(async () => {
    service = await startService({ fastPath: true, threads, connections: { total, address } });
  });
  afterAll(() => service.stop());

  test.for(
    Object.entries(ATTACKS).flatMap(([kind, text]) =>
      AMOUNTS.map((addresses) => ({ kind, text, addresses })),
    ),
  )('$kind, from $addresses addresses', async ({ text, addresses }) => {
    const { port } = service;
    const attack = floodWithoutEnd({ port, text, connections: total, addresses, pauseMs: 500 });
    await sleep(SETTLING_MS);
    const refused = await refusedNewcomers(port);
    await attack.stop();
    expect(refused).toBeLessThanOrEqual(addresses > 40 ? REFUSED_MOST * asked : 0);
  });

  test('a client that asks for a tunnel and breaks off ends nothing but its connection', async () => {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.write('CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 405 /);
    socket.write('more');
    socket.resetAndDestroy();
    const next = await say(service.port, [HEALTH]);
    expect(next.answers.map(({ status }) => status)).toEqual([200]);
  });

  test('a client has so many connections, and the next is told so', async () => {
    const refusals: string[] = [];
    const open = Array.from({ length: address + 1 }, () => {
      const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
      return socket.on('data', (answer) => refusals.push(answer.toString('latin1')));
    });
    await until(() => refusals.length > 0);
    // Where several threads answer, whichever of them comes last is the one.
    await sleep(SETTLING_MS);
    for (const socket of open) socket.destroy();
    expect(refusals).toHaveLength(1);
    expect(refusals[0]).toMatch(/^HTTP\/1\.1 503 /);
    expect(refusals[0]).toContain('"type":"overloaded"');
    // As soon as they are gone it is served again.
    await until(async () => {
      const { answers } = await say(service.port, [HEALTH], { quietLooks: 20 });
      return answers[0]?.status === 200;
    });
  });
});
