/**
 * Memory against the store's statements: the sample island, and a corner of the generated country,
 * where every layer is at national density. A run of a million points is `npm run bench --
 * differential --count=1000000`.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryOf } from '../../bench/differential.ts';
import { Land } from '../../bench/national/land.ts';
import type { SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import { createWorkers } from '../../workers/pool.ts';
import { holdAgainst, probesOf } from '../support/differential.ts';
import { openMemoryBench } from '../support/memory.ts';
import type { MemoryBench } from '../support/memory.ts';
import { amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

const onPostgres = process.env['TEST_STORE'] === 'postgres';
/** Times sixteen layers. The embedded store measures in one thread of WebAssembly: there a part. */
const POINTS = onPostgres
  ? { random: amountOf({ gate: 600, night: 3_200 }), edge: amountOf({ gate: 120, night: 640 }) }
  : { random: 500, edge: 100 };

describe('the sample island', () => {
  let bench: MemoryBench;
  beforeAll(async () => {
    bench = await openMemoryBench();
  }, 300_000);
  afterAll(() => bench.close());

  test('is the same in memory and in the store', async () => {
    const memory = bench.memoryIn(bench.newDirectory());
    await memory.refresh();
    const set = memory.current!;
    const points = probesOf(set, { ...POINTS, seed: 3, exact: onPostgres });
    const result = await holdAgainst({ set, store: bench.store }, points);
    console.log(
      `the sample island: ${result.compared} comparisons, ${result.differing} differ, ${result.ties} ties`,
    );
    expect(result.differences).toEqual([]);
    expect(result.compared).toBe(16 * (POINTS.random + POINTS.edge));
  }, 300_000);
});

describe('a corner of the generated country', () => {
  let store: TestStore;
  let set: SnapshotSet;
  const workers = createWorkers({ threads: 1 });
  beforeAll(async () => {
    store = await openTestStore({ purpose: 'sync' });
    const directory = mkdtempSync(join(store.dataDir, 'snapshots-'));
    set = await memoryOf({ store, workers, directory }, new Land(0.003));
  }, 300_000);
  afterAll(async () => {
    await workers.close();
    await store.close();
  });

  test('is the same in memory and in the store', async () => {
    const points = probesOf(set, { ...POINTS, seed: 5, exact: onPostgres });
    const result = await holdAgainst({ set, store }, points);
    console.log(
      `the generated corner: ${result.compared} comparisons, ${result.differing} differ, ${result.ties} ties`,
    );
    expect(result.differences).toEqual([]);
    expect(result.compared).toBe(16 * (POINTS.random + POINTS.edge));
  }, 300_000);
});
