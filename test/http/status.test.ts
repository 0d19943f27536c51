/** GET /v1/status, /healthz and /readyz. */
import { describe, expect, test } from 'vitest';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { expectDocumented, expectError, memoryApp, memoryServices } from './edge.ts';

describe('GET /v1/status', () => {
  test('lists every layer with its freshness, in Danish', async () => {
    const { generation, layers } = await memoryServices().status();
    const states = ['fresh', 'delayed', 'failed', 'missing'] as const;
    const app = await memoryApp({
      status: () =>
        Promise.resolve({
          generation,
          layers: layers.map((layer, index) => ({
            ...layer,
            syncedAt: '2026-01-02T03:04:05.000Z',
            ageS: 9,
            rowCount: 3,
            version: 2,
            state: states[index % 4] ?? 'fresh',
          })),
        }),
    });
    const response = await app.inject('/v1/status');
    expectDocumented(app, response, ['get', '/v1/status']);
    const body = response.json<{ generation: number; lag: Record<string, unknown>[] }>();
    expect(body.generation).toBe(generation);
    expect(response.headers['x-service-generation']).toBe(String(generation));
    expect(body.lag.map(({ lag }) => lag)).toEqual(LAYER_IDS);
    expect(body.lag.slice(0, 4).map(({ tilstand }) => tilstand)).toEqual([
      'frisk',
      'forsinket',
      'fejlet',
      'mangler',
    ]);
    expect(body.lag[0]).toEqual({
      lag: 'region',
      register: 'dagi',
      synket: '2026-01-02T03:04:05.000Z',
      alder_s: 9,
      frist_s: 691_200,
      tilstand: 'frisk',
      antal: 3,
      version: 2,
    });
    await app.close();
  });

  test('has nulls, never zeros, for a layer never mirrored', async () => {
    const app = await memoryApp();
    const response = await app.inject('/v1/status');
    expectDocumented(app, response, ['get', '/v1/status']);
    expect(response.json<{ lag: unknown[] }>().lag[0]).toMatchObject({
      synket: null,
      alder_s: null,
      antal: null,
      version: null,
      tilstand: 'mangler',
    });
    await app.close();
  });
});

describe('a store that cannot be reached', () => {
  test('makes the freshness page 503: nothing is known, so nothing is claimed', async () => {
    const app = await memoryApp({ status: () => Promise.reject(new Error('ECONNREFUSED')) });
    const response = await app.inject('/v1/status');
    expectError(response, 'overloaded');
    expectDocumented(app, response, ['get', '/v1/status']);
    await app.close();
  });
});

describe('health', () => {
  test('/healthz answers while the process does, /readyz only with a store', async () => {
    const app = await memoryApp({ isReady: () => Promise.resolve(false) });
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    const response = await app.inject('/readyz');
    expectError(response, 'overloaded');
    expectDocumented(app, response, ['get', '/readyz']);
    await app.close();
    const ready = await memoryApp();
    expect((await ready.inject('/readyz')).json()).toEqual({ status: 'ok' });
    await ready.close();
  });
});
