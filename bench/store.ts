/**
 * One `byggelinjer` statement and one six-theme statement beside a bare `select 1` on the same
 * connection, over the generated country. BENCH_STORE=embedded times the embedded store; otherwise
 * PostgreSQL, in a private cluster that is gone afterwards.
 */
import { sql } from 'kysely';
import { LINE_LAYERS } from '../src/registers/lines/mirror.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import { readLines } from '../src/registers/lines/store.ts';
import { readCoveringAreas } from '../src/registers/areas/store.ts';
import { fillStore } from './fill.ts';
import { itemsPerSecond } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openData, openMigrated } from './harness/store.ts';
import { Land } from './national/land.ts';

const RADIUS_M = 500;
const PLACES = 5_000;
const WARM_UPS = 50;

/** Rows for the table of `npm run bench`. */
export async function benchStore(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  // One connection: the reference and the statement take the same one.
  const store = await openMigrated(cleanup, await openData(cleanup), { maxConnections: 1 });
  const land = new Land(scaleOption());
  await fillStore(store, land);
  const points = land.points(PLACES, 5);
  const lines = LINE_KEYS.map((key) => LINE_LAYERS[key]);
  const at = (n: number, many: number) =>
    Array.from({ length: many }, (_, i) => points[(n + i) % points.length]!);
  const rate = (size: number, ask: (n: number) => Promise<unknown>): Promise<number> =>
    itemsPerSecond({ size, warmUps: WARM_UPS }, (n) => ask(n * size));
  const beside = ['bare select 1', await rate(1, () => sql`select 1`.execute(store.db))] as const;
  const name = store.kind === 'postgres' ? 'PostgreSQL' : 'embedded';
  const rows: BenchRow[] = [];
  for (const many of [1, 50]) {
    const what = `${many === 1 ? 'one point' : `${many} points`} a statement (${name})`;
    const ten = await rate(many, (n) =>
      readLines(store, { points: at(n, many), lines, radiusM: RADIUS_M }),
    );
    const six = await rate(many, (n) => readCoveringAreas(store, at(n, many)));
    rows.push(
      row(`ten lines, ${what}`, ten, 'points/s', { beside }),
      row(`six themes, ${what}`, six, 'points/s', { beside }),
    );
  }
  return rows;
}
