/** OWASP API4:2023, unrestricted resource consumption: everything that can be large has a limit. */
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { TEN, attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
const mallory = await service.customer('business');

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
