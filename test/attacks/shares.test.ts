/**
 * What many share in one process: none can take another's part of it, with a key or without. Whose stream of events is
 * ended for whom: test/unit/open-streams.test.ts.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { WORKBOOK_TYPE } from '../../src/http/v1/jobs/file-schema.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { METERING_LIMITS } from '../../src/metering/limits.ts';
import { TRIAL } from '../../src/metering/trial-limits.ts';
import { expectError } from '../edge/edge.ts';
import { TEN, attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';
import { portOf } from '../support/free-port.ts';

const workbook = async (rows: number[][]): Promise<Buffer> =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Ark1', rows: [['x', 'y'], ...rows] }] }));

const service = await opened(attacked());
const bystander = await service.customer('business');
const port = await portOf(service.app);

/** A new account's key for jobs, and a draft of a job of it. */
async function sender(): Promise<{ readonly secret: string; readonly id: string }> {
  const account = await service.bench.account('business');
  const options = { environment: 'live', permission: 'jobs' } as const;
  const { secret } = await service.bench.key(account, options);
  const made = await service.app.inject({
    method: 'POST',
    url: '/v1/jobs',
    headers: bearer(secret),
    payload: { kind: 'dagi', columns: { x: 'x', y: 'y' }, srid: 25832, start: false },
  });
  return { secret, id: made.json<{ job: { id: string } }>().job.id };
}

const visitor = (secret: string, remoteAddress: string) => ({
  remoteAddress,
  headers: { ...bearer(secret), host: 'geo.example', 'sec-fetch-site': 'same-origin' },
});

describe('a visitor of the open trial', async () => {
  const { secret } = await service.bench.trial.key();
  const ask = (address: string) => service.app.inject({ url: TEN, ...visitor(secret, address) });

  test('has no batches', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/natur/byggelinjer:batch',
      payload: { punkter: [{ lon: 12.1, lat: 55.6 }] },
      ...visitor(secret, '192.0.2.1'),
    });
    expectError(answer, 'plan_required');
  });

  test('has a day of its own, which is told and which nobody else uses up', async () => {
    const { limit } = METERING_LIMITS.publicKeyRequests;
    const before = await ask('192.0.2.77');
    expect(before.headers['ratelimit']).toContain(`"visitor";r=${TRIAL.dayUnits - 1}`);
    expect(before.headers['ratelimit-policy']).not.toContain('"month"');
    // Each as often as a minute lets it, more together than the plan of one account bursts.
    const addresses = Array.from({ length: 20 }, (_, n) => `198.51.100.${n}`);
    const asked = addresses.flatMap((address) =>
      Array.from({ length: limit + 5 }, () => ask(address)),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(0);
    const after = await ask('192.0.2.77');
    expect(after.statusCode).toBe(200);
    expect(after.headers['ratelimit']).toContain(`"visitor";r=${TRIAL.dayUnits - 2}`);
    expect(
      (await service.app.inject({ url: TEN, headers: bearer(bystander.secret) })).statusCode,
    ).toBe(200);
  });

  test('is one visitor from all addresses of one IPv6 network', async () => {
    await ask('2001:db8:1:2::1');
    const second = await ask('2001:db8:1:2:ffff::9');
    expect(second.headers['ratelimit']).toContain(`"visitor";r=${TRIAL.dayUnits - 2}`);
    const other = await ask('2001:db8:1:3::1');
    expect(other.headers['ratelimit']).toContain(`"visitor";r=${TRIAL.dayUnits - 1}`);
  });
});

test('workbooks of one account leave another one its turn', async () => {
  const [mallory, other] = [await sender(), await sender()];
  const rows = Array.from({ length: 2_000 }, (_, n) => [645_003 + n, 6_312_000]);
  const large = await workbook(rows);
  const small = await workbook([[645_003.25, 6_312_000]]);
  const send = ({ secret, id }: Awaited<ReturnType<typeof sender>>, payload: Buffer) =>
    service.app.inject({
      method: 'POST',
      url: `/v1/jobs/${id}/rows`,
      headers: { ...bearer(secret), 'content-type': WORKBOOK_TYPE },
      payload,
    });
  const flood = Array.from({ length: 20 }, () => send(mallory, large));
  const answers = [];
  for (let n = 0; n < 3; n++) answers.push(await send(other, small));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const statuses = (await Promise.all(flood)).map(({ statusCode }) => statusCode);
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
});

test('visitors that ask slowly leave others their places', async () => {
  const { secret } = await service.bench.trial.key();
  const open: Socket[] = [];
  for (let n = 0; n < HTTP_LIMITS.inFlight.account; n++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % 4)}` });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    socket.write(
      [
        'POST /v1/natur/byggelinjer:batch HTTP/1.1',
        ...[`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${secret}`],
        ...['Sec-Fetch-Site: same-origin', 'Content-Type: application/json'],
        ...['Content-Length: 100', '', '{'],
      ].join('\r\n'),
    );
    open.push(socket);
  }
  const answer = await fetch(`http://127.0.0.1:${port}${TEN}`, {
    headers: { ...bearer(secret), 'sec-fetch-site': 'same-origin' },
  });
  for (const socket of open) socket.destroy();
  expect(answer.status).toBe(200);
});

const { process: inAll, account: ofOne } = JOB_LIMITS.streams;

test('as many accounts as there are places, with one stream each, do not shut another out, and none has more than its share', async () => {
  const over = new AbortController();
  const { signal } = over;
  const ends: number[] = [];
  const ask = ({ secret, id }: Awaited<ReturnType<typeof sender>>, until = signal) =>
    fetch(`http://127.0.0.1:${port}/v1/jobs/${id}/events`, {
      headers: bearer(secret),
      signal: until,
    });
  const open = async (by: Awaited<ReturnType<typeof sender>>, n: number) => {
    const answer = await ask(by);
    expect(answer.status).toBe(200);
    const reader = answer.body!.getReader();
    await reader.read();
    const toTheEnd = async (): Promise<void> => {
      while (!(await reader.read()).done);
      ends.push(n);
    };
    toTheEnd().catch(() => undefined);
  };
  for (let n = 0; n < inAll; n++) await open(await sender(), n);
  const innocent = await sender();
  await open(innocent, inAll);
  await expect.poll(() => ends).toEqual([0]);
  // A second one, while all others have one, would be at their cost.
  expect((await ask(innocent)).status).toBe(429);
  over.abort();

  const greedy = await sender();
  const ended = new AbortController();
  const statusOfNext = async () => (await ask(greedy, ended.signal)).status;
  for (let n = 0; n < ofOne; n++) await expect.poll(statusOfNext).toBe(200);
  expect(await statusOfNext()).toBe(429);
  ended.abort();
});
