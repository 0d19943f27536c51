/**
 * `npm run bench -- differential [--count=1000000] [--scale=0.03]`: memory against the PostGIS
 * statements over the generated country, at so many random points and a fifth as many on edges. Not
 * a speed; a number that must be 0.
 */
import { systemClock } from '../src/kernel/clock.ts';
import type { SnapshotSet } from '../src/core/held/snapshot-set.ts';
import type { Store } from '../src/db/connect.ts';
import { createLayerLoader } from '../src/memory/layer-loader.ts';
import { REGISTERS_CATALOGUE, LAYERS } from '../src/registers.ts';
import { holdAgainst, probesOf } from '../test/support/differential.ts';
import { createWorkers } from '../workers/pool.ts';
import { fillStore } from './fill.ts';
import { Land } from './national/land.ts';
import { numberOption, scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openData, openMigrated } from './harness/store.ts';

const REPORT_EVERY_MS = 30_000;

export async function benchDifferential(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const count = numberOption('count', 20_000);
  const data = await openData(cleanup);
  const store = await openMigrated(cleanup, data);
  const workers = createWorkers({ threads: 1 });
  cleanup.defer(() => workers.close());
  const land = new Land(scaleOption());
  const set = await memoryOf({ store, workers, directory: data.dataDir }, land);
  const exact = store.kind === 'postgres';
  const plan = { random: count, edge: count / 5, seed: 11, exact };
  const started = performance.now();
  let reportedAt = started;
  const result = await holdAgainst({ set, store }, probesOf(set, plan), (compared) => {
    if (performance.now() < reportedAt + REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    console.error(`  ${compared} comparisons so far`);
  });
  for (const difference of result.differences) console.error(JSON.stringify(difference));
  const elapsedS = (performance.now() - started) / 1000;
  const different = 'answers of memory that are not those of PostGIS';
  return [
    row('random points and points at edges', count * 1.2, 'points'),
    row('layers compared at them', result.compared, 'comparisons'),
    row('time', elapsedS, 's'),
    row('ties within a nanometre', result.ties, 'comparisons'),
    row(different, result.differing, 'differences', { gate: '0' }),
  ];
}

/** What memory holds of an empty store that is filled with the country. */
async function memoryOf(
  parts: Pick<Parameters<typeof createLayerLoader>[0], 'workers' | 'directory'> & {
    readonly store: Store;
  },
  land: Land,
): Promise<SnapshotSet> {
  await fillStore(parts.store, land);
  const loader = createLayerLoader({
    ...{ ...parts, sources: LAYERS, catalogue: REGISTERS_CATALOGUE, clock: systemClock },
    ...{ storeName: 'bench', log: (message) => console.error(message) },
  });
  await loader.refresh();
  if (loader.current === null) throw new Error('Nothing is in memory.');
  return loader.current;
}
