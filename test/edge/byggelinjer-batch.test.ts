/** POST /v1/natur/byggelinjer:batch (D5, D49). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { LIMITS } from '../../src/kernel/limits.ts';
import { GENERATION, expectDocumented, expectError, memoryApp } from './edge.ts';

const url = '/v1/natur/byggelinjer:batch';

describe('POST /v1/natur/byggelinjer:batch', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await memoryApp();
  });
  afterAll(() => app.close());

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
