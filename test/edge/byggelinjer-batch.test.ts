/** POST /v1/natur/byggelinjer:batch (D5, D49). */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { LinePages } from '../../src/registers/lines/pages.ts';
import { GENERATION, expectDocumented, expectError, memoryApp, sharedApp } from './edge.ts';
import { linesInto } from '../support/log.ts';

const url = '/v1/natur/byggelinjer:batch';

test('whose client hangs up while it waits for a thread is no failure', async () => {
  const lines: string[] = [];
  const logStream = linesInto(lines);
  const waits = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  const linePages: LinePages = {
    // As where all threads have work: what is asked for is given up with the signal.
    render: async (_points, _layout, { signal }) => {
      waits.resolve(undefined);
      await once(signal, 'abort').finally(() => ended.resolve(undefined));
      throw signal.reason;
    },
  };
  const app = await memoryApp({ linePages }, { logLevel: 'info', logStream });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const hangUp = new AbortController();
  const asking = fetch(`http://127.0.0.1:${port}${url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ punkter: [{ lon: 12.1, lat: 55.6 }] }),
    signal: hangUp.signal,
  });
  await waits.promise;
  hangUp.abort();
  await expect(asking).rejects.toThrow('aborted');
  await ended.promise;
  await app.close();
  expect(lines.filter((line) => /request failed|internal_error|"stack"/.test(line))).toEqual([]);
});

describe('POST /v1/natur/byggelinjer:batch', async () => {
  const app = await sharedApp();

  test('answers every point in the order of the input, duplicates each, echoing id and point', async () => {
    const punkter = [
      { lon: 12.1, lat: 55.6, id: 'b' },
      { lon: 10.2, lat: 56.1 },
      { lon: 12.1, lat: 55.6, id: 'b' },
    ];
    const response = await app.inject({ method: 'POST', url, payload: { punkter } });
    expect(response.statusCode).toBe(200);
    expectDocumented(app, response, ['post', url]);
    expect(response.headers['x-service-generation']).toBe(String(GENERATION));
    const body = response.json<{ results: { id?: string; punkt: unknown }[] }>();
    expect(body).toMatchObject({ requested: 3, succeeded: 3, failed: 0, errors: [] });
    expect(body.results.map(({ id, punkt }) => ({ id, punkt }))).toEqual(
      punkter.map(({ id, lon, lat }) => ({ id, punkt: { lon, lat } })),
    );
    expect(body.results[1]).not.toHaveProperty('id');
  });

  test('gives each point the very answer of the single lookup', async () => {
    const payload = { punkter: [{ lon: 12.1, lat: 55.6 }] };
    const batch = await app.inject({ method: 'POST', url, payload });
    const single = await app.inject('/v1/natur/byggelinjer?lon=12.1&lat=55.6');
    expect(batch.json<{ results: { byggelinjer: unknown }[] }>().results[0]?.byggelinjer).toEqual(
      single.json(),
    );
  });

  test(`takes ${LIMITS.linePointsPerBatch} points and refuses one more, naming the limit`, async () => {
    const points = (count: number) => ({
      punkter: Array.from({ length: count }, () => ({ lon: 12.1, lat: 55.6 })),
    });
    const most = points(LIMITS.linePointsPerBatch);
    expect((await app.inject({ method: 'POST', url, payload: most })).statusCode).toBe(200);
    const over = points(LIMITS.linePointsPerBatch + 1);
    const refused = await app.inject({ method: 'POST', url, payload: over });
    const { error } = expectError(refused, 'invalid_request');
    expect(error).toBe(`punkter may have at most ${LIMITS.linePointsPerBatch} items.`);
  });
});
