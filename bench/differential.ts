/**
 * `npm run bench -- differential [--count=1000000] [--scale=0.03]`: memory against the PostGIS
 * statements over the generated country, at so many random points and a fifth as many on edges. Not
 * a speed; a number that must be 0.
 */
import { composeSnapshots } from '../src/start/snapshot-memory.ts';
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';
import { holdAgainst, probesOf } from '../test/support/differential.ts';
import { createWorkers } from '../workers/pool.ts';
import { openData } from './data.ts';
import { fillStore } from './fill.ts';
import { Land } from './national/land.ts';
import { option } from './option.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';

const TELL_EVERY_MS = 30_000;

export async function benchDifferential(): Promise<readonly BenchRow[]> {
  const count = Number(option('count') ?? '20000');
  const scale = Number(option('scale') ?? '0.03');
  const data = await openData();
  const store = await openStore({ ...data, purpose: 'sync', log: console });
  const workers = createWorkers({ threads: 1 });
  try {
    await migrate(store);
    await fillStore(store, new Land(scale));
    const { keeper } = composeSnapshots({
      store,
      workers,
      catalogue: REGISTERS_CATALOGUE,
      directory: data.dataDir,
      storeName: 'bench',
      log: (message) => console.error(message),
    });
    await keeper.refresh();
    const set = keeper.current;
    if (set === null) throw new Error('Nothing is in memory.');
    const exact = store.kind === 'postgres';
    const plan = { random: count, edge: count / 5, seed: 11, exact };
    const started = performance.now();
    let toldAt = started;
    const result = await holdAgainst({ set, store }, probesOf(set, plan), (compared) => {
      if (performance.now() < toldAt + TELL_EVERY_MS) return;
      toldAt = performance.now();
      console.error(`  ${compared} comparisons so far`);
    });
    for (const difference of result.differences) console.error(JSON.stringify(difference));
    const seconds = (performance.now() - started) / 1000;
    return [
      row({ what: 'random points and points at edges', value: count * 1.2, unit: 'points' }),
      row({ what: 'layers compared at them', value: result.compared, unit: 'comparisons' }),
      row({ what: 'time', value: seconds, unit: 's' }),
      row({ what: 'ties within a nanometre', value: result.ties, unit: 'comparisons' }),
      row({
        what: 'answers of memory that are not those of PostGIS',
        value: result.differing,
        unit: 'differences',
        gate: { text: '0', pass: result.differing === 0 },
      }),
    ];
  } finally {
    await workers.close();
    await store.close();
    await data.close();
  }
}
