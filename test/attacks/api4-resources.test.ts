/** OWASP API4:2023, unrestricted resource consumption: everything that can be large has a limit. */
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { expectError } from '../edge/edge.ts';
import { TEN, attacked, bearer } from './attacked.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
const mallory = await service.customer('business');

const send = (payload: string | Buffer) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/natur/byggelinjer:batch',
    headers: { ...bearer(mallory.secret), 'content-type': 'application/json' },
    payload,
  });

describe('a body', () => {
  test('of more bytes than allowed is 413, however it is made', async () => {
    expectError(await send(' '.repeat(LIMITS.bodyBytes.fewPoints + 1)), 'payload_too_large');
    const keys = Array.from({ length: 30_000 }, (_, i) => `"key${i}":${i}`);
    expectError(await send(`{${keys.join()}}`), 'payload_too_large');
  });

  test('of a thousand keys, or nested without end, is 400 at once', async () => {
    const keys = Array.from({ length: 1_000 }, (_, i) => `"key${i}":${i}`);
    expectError(await send(`{"punkter":[],${keys.join()}}`), 'invalid_request');
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = open.repeat(10_000) + '1' + close.repeat(10_000);
      const started = performance.now();
      expectError(await send(deep), 'invalid_request');
      expect(performance.now() - started).toBeLessThan(HANG_MS);
    }
  });

  test('of more points than allowed is refused before any is looked up', async () => {
    const punkter = Array(LIMITS.linePointsPerBatch + 1).fill({ lon: 12.1, lat: 55.6 });
    const answer = await send(JSON.stringify({ punkter }));
    expect(expectError(answer, 'invalid_request')['error']).toContain(
      String(LIMITS.linePointsPerBatch),
    );
  });
});

test('requests faster than the plan are 429 with a time to come back', async () => {
  const slow = await service.customer('free');
  const started = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      service.app.inject({ url: TEN, headers: bearer(slow.secret) }),
    ),
  );
  const served = answers.filter(({ statusCode }) => statusCode === 200).length;
  // Ten at once, and five more a second (D60) while they are asked.
  const elapsedS = (performance.now() - started) / 1_000;
  expect(served).toBeGreaterThanOrEqual(1);
  expect(served).toBeLessThanOrEqual(10 + Math.ceil(5 * elapsedS));
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
    expectError(answer, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
});

test('a caller that sends its request drop by drop is not waited for at the cost of others', async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
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
  expect(service.app.server.requestTimeout).toBe(HTTP_LIMITS.requestReceiveMs);
  for (const socket of dripping) socket.destroy();
});
