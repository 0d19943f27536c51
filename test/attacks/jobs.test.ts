/** Jobs under attack: ids of others, properties that are not theirs, bodies that would cost too much. */
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { expectError } from '../edge/edge.ts';
import { attacked, bearer } from './attacked.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
let mallory: string;
beforeAll(async () => {
  const { id } = await service.customer('business');
  mallory = (await service.bench.key(id, { environment: 'live', permission: 'jobs' })).secret;
});

const ask = (secret: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  service.app.inject({ method, url, headers: bearer(secret), ...(payload && { payload }) });

async function draftOf(secret: string): Promise<string> {
  const answer = await ask(secret, 'POST', '/v1/jobs', { kind: 'dagi', start: false });
  return answer.json<{ job: { id: string } }>().job.id;
}

const rowsOf = (id: string, type: string, payload: string | Buffer) =>
  service.app.inject({
    method: 'POST',
    url: `/v1/jobs/${id}/rows`,
    headers: { ...bearer(mallory), 'content-type': type },
    payload,
  });

test('API3: no body reaches what all objects share, whatever its type', async () => {
  const id = await draftOf(mallory);
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
      (await ask(mallory, 'POST', '/v1/jobs', { kind: 'dagi', columns, rows: [{ [name]: 1 }] }))
        .statusCode,
    ).toBe(201);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe('API4: a body', () => {
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
    const id = await draftOf(mallory);
    await quick(async () => {
      const answer = await rowsOf(id, type, body());
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
    });
    await ask(mallory, 'DELETE', `/v1/jobs/${id}`);
  });

  test('that comes a byte at a time costs no more for it', async () => {
    const id = await draftOf(mallory);
    const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = service.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST /v1/jobs/${id}/rows HTTP/1.1\r\nhost: ${new URL(base).host}\r\ncontent-type: text/csv\r\n` +
        `authorization: Bearer ${mallory}\r\ntransfer-encoding: chunked\r\n\r\n`,
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
