/** OWASP API7:2023, server side request forgery: no address a caller gives is ever visited. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attacked } from './attacked.ts';
import type { Customer } from './attacked.ts';
import { requestAt } from '../fuzz/requests.ts';
import { operationsOf } from '../fuzz/document.ts';
import type { Published } from '../fuzz/document.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
let mallory: Customer;
let visits = 0;
const trap = createServer((socket) => {
  visits += 1;
  socket.destroy();
});
beforeAll(async () => {
  mallory = await service.customer('business');
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
});
afterAll(() => trap.close());

test('whatever field an address is put into, nobody comes to see', async () => {
  const { port } = trap.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/`;
  const document = service.app.swagger() as unknown as Published;
  const plan = {
    document,
    operations: operationsOf(document),
    keys: { live: mallory.secret, test: mallory.secret },
    seed: 'ssrf',
  };
  for (let at = 0; at < 300; at++) {
    const { method, target, headers, body } = requestAt(plan, at);
    await service.app.inject({
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
    const value = field === 'origins' ? [`127.0.0.1:${port}`, address] : address;
    const payload = { name: 'x', environment: 'live', kind: 'public', [field]: value };
    await mallory.browser.ask({ method: 'POST', url: '/v1/me/keys', payload });
  }
  expect(visits).toBe(0);
});
