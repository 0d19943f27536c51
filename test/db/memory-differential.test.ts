/**
 * Memory against the store's statements: the sample island, and a corner of the generated country,
 * where every layer is at national density. A run of a million points is `npm run bench --
 * differential --count=1000000`.
 */
import { expect, test } from 'vitest';
import { fillStore } from '../../bench/fill.ts';
import { Land } from '../../bench/national/land.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { holdAgainst, probesOf } from '../support/differential.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

const onPostgres = process.env['TEST_STORE'] === 'postgres';
/** Times sixteen layers. The embedded store measures in one thread of WebAssembly: there a part. */
const POINTS = onPostgres
  ? { random: amountOf({ gate: 600, night: 3_200 }), edge: amountOf({ gate: 120, night: 640 }) }
  : { random: 500, edge: 100 };

const bench = await opened(openMemoryBench());

async function generatedCorner(): Promise<TestStore> {
  const store = await openTestStore({ purpose: 'sync' });
  await fillStore(store, new Land(0.003));
  return store;
}

test.each([
  ['the sample island', 3, () => bench.store, bench.deps.catalogue],
  ['a corner of the generated country', 5, generatedCorner, REGISTERS_CATALOGUE],
])(
  '%s is the same in memory and in the store',
  async (name, seed, openStore, catalogue) => {
    const store = await openStore();
    const memory = bench.memoryIn(bench.newDirectory(), { store, catalogue });
    await memory.refresh();
    const set = memory.current!;
    const points = probesOf(set, { ...POINTS, seed, exact: onPostgres });
    const result = await holdAgainst({ set, store }, points);
    const { compared, differing, ties } = result;
    console.log(`${name}: ${compared} comparisons, ${differing} differ, ${ties} ties`);
    expect(result.differences).toEqual([]);
    expect(compared).toBe(16 * (POINTS.random + POINTS.edge));
    if (store !== bench.store) await store.close();
  },
  300_000,
);
