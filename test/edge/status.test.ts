/** GET /v1/status, /healthz and /readyz. */
import { describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { readinessOf } from '../../src/ops/readiness.ts';
import type { Readiness } from '../../src/ops/readiness.ts';
import { createLimiterMemory } from '../../src/kernel/limiter-memory.ts';
import { forgetThread, sharedLimiters } from '../../src/kernel/limiters.ts';
import { expectError, memoryApp, memoryServices, testApp } from './edge.ts';

describe('GET /v1/status', () => {
  test('lists every layer with its freshness, in Danish', async () => {
    const { generation, layers } = await memoryServices().status();
    const states = ['fresh', 'delayed', 'failed', 'missing'] as const;
    const app = await testApp({
      status: () =>
        Promise.resolve({
          generation,
          memory: { held: ['region'], missing: ['kommune'] },
          layers: layers.map((layer, index) => ({
            ...{ ...layer, syncedAt: '2026-01-02T03:04:05.000Z', ageS: 9, rowCount: 3, version: 2 },
            state: states[index % 4] ?? 'fresh',
          })),
        }),
    });
    const response = await app.inject('/v1/status');
    const body = response.json<{ generation: number; lag: Record<string, unknown>[] }>();
    expect(body.generation).toBe(generation);
    expect(response.headers['x-service-generation']).toBe(String(generation));
    expect(body.lag.map(({ lag }) => lag)).toEqual(LAYER_IDS);
    const said = body.lag.slice(0, 4).map(({ tilstand }) => tilstand);
    expect(said).toEqual(['frisk', 'forsinket', 'fejlet', 'mangler']);
    expect(body.lag[0]).toEqual({
      ...{ lag: 'region', register: 'dagi', synket: '2026-01-02T03:04:05.000Z' },
      ...{ alder_s: 9, frist_s: 691_200, tilstand: 'frisk', antal: 3, version: 2 },
      ...{ data_fra: null, data_alder_s: null, data_frist_s: 1_296_000 },
      ...{ i_hukommelse: true, daekning: null },
    });
    expect(body.lag.slice(1, 3).map((lag) => lag['i_hukommelse'])).toEqual([false, null]);
  });
});

describe('a store that cannot be reached', () => {
  test('makes the freshness page 503: nothing is known, so nothing is claimed', async () => {
    const app = await testApp({ status: () => Promise.reject(new Error('ECONNREFUSED')) });
    expectError(await app.inject('/v1/status'), 'overloaded');
  });
});

describe('health', () => {
  async function expectUnready(app: FastifyInstance, code: string): Promise<void> {
    expect(expectError(await app.inject('/readyz'), 'overloaded')).toMatchObject({ code });
  }

  test('/healthz answers while the process does, /readyz says why nothing else can', async () => {
    let readiness: Readiness;
    const OWN_CODES = [
      'starting',
      'nothing_mirrored',
      'store_unreachable',
      'keys_unknown',
    ] as const;
    const FAULTS = ['rights_missing', 'postgis_missing', 'schema_newer', 'schema_failed'] as const;
    const app = await testApp({ readiness: () => Promise.resolve(readiness) });
    for (readiness of OWN_CODES) {
      await expectUnready(app, readiness);
    }
    for (readiness of FAULTS) {
      await expectUnready(app, 'migration_failed');
    }
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  });

  test('/startupz answers once the process has started, /readyz when something can be answered', async () => {
    let isStarted = false;
    const app = await testApp({ hasStarted: () => isStarted });
    const early = await app.inject('/startupz');
    expect(expectError(early, 'overloaded')).toMatchObject({ code: 'starting' });
    isStarted = true;
    expect((await app.inject('/startupz')).json()).toEqual({ status: 'ok' });
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ok' });
  });

  test('/readyz names the layers that need the database', async () => {
    const held = () => ({ held: ['soe', 'aa'], missing: ['klitfredning'] }) as const;
    const front = await testApp({ held });
    const ready = await front.inject('/readyz');
    expect(ready.json()).toMatchObject({ memory: { held: 2, of: 3, missing: ['klitfredning'] } });
  });

  test('/readyz waits for all request threads once, and then says how many listen', async () => {
    const memory = createLimiterMemory(2);
    const apps = await Promise.all(
      [0, 1].map((thread) => memoryApp({ limiters: sharedLimiters(memory, thread) })),
    );
    const [app, other] = apps as [FastifyInstance, FastifyInstance];
    const ready = () => app.inject('/readyz');
    for (const each of [app, other]) {
      expect(expectError(await ready(), 'overloaded')).toMatchObject({ code: 'starting' });
      await each.listen({ port: 0, host: '127.0.0.1' });
    }
    expect((await ready()).json()).toEqual({ status: 'ok', threads: { listening: 2, of: 2 } });
    forgetThread(memory, 1);
    expect((await ready()).json()).toEqual({ status: 'ok', threads: { listening: 1, of: 2 } });
    await Promise.all(apps.map((each) => each.close()));
  });

  test.each([
    [{ hasStarted: false, isInMemory: false, isInStore: false }, 'starting'],
    [{ hasStarted: true, isInMemory: false, isInStore: false }, 'nothing_mirrored'],
    [{ hasStarted: true, isInMemory: false, isInStore: null }, 'store_unreachable'],
    [{ hasStarted: false, isInMemory: true, isInStore: null }, 'ready'],
    [{ hasStarted: true, isInMemory: true, isInStore: false }, 'ready'],
    [{ hasStarted: true, isInMemory: false, isInStore: true }, 'ready'],
    [{ isInMemory: false, isInStore: null, migrationFault: 'rights_missing' }, 'rights_missing'],
    [{ isInMemory: false, isInStore: true, migrationFault: 'schema_failed' }, 'schema_failed'],
    [{ isInMemory: true, isInStore: null, migrationFault: 'schema_failed' }, 'ready'],
    [{ isInMemory: true, isInStore: null, canKnowCallers: false }, 'keys_unknown'],
    [{ hasStarted: true, isInMemory: true, isInStore: true, canMeter: false }, 'starting'],
  ] as const)('%j is %s', (facts, readiness) => {
    expect(readinessOf({ hasStarted: false, migrationFault: null, ...facts })).toBe(readiness);
  });
});
