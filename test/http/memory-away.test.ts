/** A real PostgreSQL stopped and started under load: memory goes on answering, then heals by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import type { StoreOptions } from '../../src/db/connect.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { keyOf } from '../../sample/holdings.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import type { MemoryBench } from '../support/memory.ts';
import { copyMirrored } from '../support/mirrored-store.ts';
import { findPostgres } from '../support/postgres-binaries.ts';
import { startCluster } from '../support/postgres-cluster.ts';
import type { Cluster } from '../support/postgres-cluster.ts';
import type { TestStore } from '../support/store.ts';

const points = SAMPLE_POINTS.map(({ id, wgs84 }) => ({ id, ...wgs84 }));
const batch = { punkter: points.slice(0, 50) };

async function openClusterStore(cluster: Cluster, dataDir: string): Promise<TestStore> {
  const databaseUrl = cluster.url('postgres');
  const log = { error: () => undefined };
  const open = (options: Partial<StoreOptions> = {}) =>
    openStore({ databaseUrl, dataDir, log, ...options });
  await copyMirrored('layers', databaseUrl);
  const store = await open({ purpose: 'sync' });
  return { ...store, databaseUrl, dataDir, another: open };
}

// Once is enough: what is stopped is always PostgreSQL.
const here = process.env['TEST_STORE'] === 'postgres' && findPostgres() !== null;

describe.skipIf(!here)('PostgreSQL stopped under load', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'geoopslag-away-'));
  let cluster: Cluster;
  let bench: MemoryBench;
  let memory: LayerLoader;
  let app: FastifyInstance;

  beforeAll(async () => {
    cluster = await startCluster();
    bench = await openMemoryBench(await openClusterStore(cluster, dataDir));
    memory = bench.memoryIn(bench.newDirectory());
    await memory.refresh();
    memory.start();
    app = await bench.edge(memory);
  }, 300_000);
  afterAll(async () => {
    await memory.stop();
    await app.close();
    await bench.close();
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const ask = async () => {
    const { lon, lat } = samplePoint('forest').wgs84;
    return [
      await app.inject(`/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`),
      await app.inject(`/v1/dagi/reverse?lon=${lon}&lat=${lat}`),
      await app.inject({ method: 'POST', url: '/v1/natur/byggelinjer:batch', payload: batch }),
      await app.inject({ method: 'POST', url: '/v1/dagi/reverse:batch', payload: batch }),
    ];
  };

  test('every answer stays the same and says that it is a copy of some age', async () => {
    const before = await ask();
    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    const load = { go: true, rounds: 0, wrong: [] as unknown[] };
    const loading = (async () => {
      while (load.go) {
        const now = await ask();
        for (const [i, answer] of now.entries()) {
          const isSame =
            answer.statusCode === 200 &&
            answer.body === before[i]!.body &&
            answer.headers['x-service-generation'] === before[i]!.headers['x-service-generation'] &&
            answer.headers['cache-status'] === 'geoopslag; hit; detail=snapshot';
          if (!isSame) load.wrong.push(answer.headers);
        }
        load.rounds += 1;
        await sleep(1);
      }
    })();
    await sleep(300);
    await cluster.down();
    // The database is really away, and the registers too: nothing but memory can answer.
    await bench.upstream.pause();
    await expect(bench.store.pool.query('select 1')).rejects.toThrow();
    const whileDown = load.rounds;
    await sleep(3_000);
    await expect.poll(() => load.rounds).toBeGreaterThan(whileDown + 10);
    bench.advance(3_600_000);
    const aged = await ask();
    for (const { headers } of aged) {
      expect(Number(headers['x-service-data-age'])).toBeGreaterThanOrEqual(3_600);
    }
    await bench.upstream.resume();
    await cluster.up();
    await sleep(500);
    load.go = false;
    await loading;
    expect(load.wrong).toEqual([]);
    console.log(`${load.rounds} rounds of four questions while the server went and came back`);
  });

  test('what is published afterwards arrives by itself', async () => {
    const generation = memory.current!.generation;
    const feature = bench.upstream.holdings.features('skov')[0]!;
    bench.upstream.holdings.assign('skov', keyOf('skov', feature)!, { CVR_navn: 'New Kommune' });
    expect((await bench.sync('skov')).state).toBe('published');
    await expect.poll(() => memory.current!.generation).toBe(generation + 1);
    expect(memory.current!.layers.size).toBe(LAYER_IDS.length);
  });
});
