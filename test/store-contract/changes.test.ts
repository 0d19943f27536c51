/**
 * Random publications of a layer: features that come, change, go, come back and cannot be read, steps back, and
 * publications that are cut in the middle. An extract and the events after it are the store at any later transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { latestChange, readTransactions } from '../../src/changes/log.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { applyEvents, expectAllWays, rowsInService } from '../support/change-copy.ts';
import type { Copy } from '../support/change-copy.ts';
import { lakeOf, lakesFrom, startGeoJsonWfs } from '../support/geojson-wfs.ts';
import { positionsOf } from '../support/layer-fixture.ts';
import { opened } from '../support/opened.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';

const ROUNDS = Number(process.env['CHANGE_ROUNDS'] ?? amountOf({ gate: 14, night: 400 }));
const FEATURES = 60;
const LAYER = 'soe';

const bench = await opened(openSyncBench());
const wfs = await opened(startGeoJsonWfs());
const deps = { ...bench.deps, catalogue: lakesFrom(wfs, bench.deps.catalogue) };

const source = () => ({ db: bench.store.db, schemas: new Map() });

type Fate = 'as before' | 'gone' | 'moved' | 'told otherwise' | 'unread' | 'unread without a place';
const FATES: readonly Fate[] = [
  ...(['as before', 'as before', 'as before', 'as before', 'as before'] as const),
  ...(['gone', 'moved', 'told otherwise', 'unread', 'unread without a place'] as const),
];

function featureOf(id: number, fate: Fate, round: number): object[] {
  if (fate === 'gone') return [];
  const [x, y] = [650_000 + 200 * (id % 10), 6_314_000 + 200 * Math.floor(id / 10)];
  const east = fate === 'moved' ? round : 0;
  const ring = positionsOf([x + east, y, x + 60, y, x + 60, y + 60, x, y + 60, x + east, y]);
  const whole = { type: 'Polygon', coordinates: [ring] };
  const geometry = fate.startsWith('unread') ? { type: 'Polygon', coordinates: 'none' } : whole;
  const more = fate === 'told otherwise' ? { cvr_navn: `Runde ${round}` } : {};
  const bbox = fate === 'unread' ? { bbox: [x, y, x + 60, y + 60] } : {};
  return [{ ...lakeOf(id, geometry, more), ...bbox }];
}

async function cutStore(): Promise<void> {
  await bench.store.apart
    .query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    .catch(() => undefined);
}

interface World {
  readonly random: () => number;
  readonly fates: Map<number, Fate>;
  readonly isCut: boolean;
  cuts: number;
}

/** A night at the register, and a sync of it, which may be cut. */
async function publish(world: World, round: number): Promise<void> {
  const { random, fates } = world;
  const ids = Array.from({ length: FEATURES }, (_, n) => n + 1);
  for (const id of ids.filter(() => random() < 0.3)) {
    fates.set(id, FATES[Math.floor(random() * FATES.length)] ?? 'as before');
  }
  const fateOf = (id: number) => (round === 0 ? 'as before' : (fates.get(id) ?? 'as before'));
  wfs.features = ids.flatMap((id) => featureOf(id, fateOf(id), round));
  const run = syncLayer(deps, LAYER, { trigger: 'operator', liftedGuards: LIFTABLE_GUARDS });
  if (world.isCut && random() < 0.3) {
    world.cuts += 1;
    await sleep(30 + 200 * random());
    await cutStore();
  }
  await run;
  const release = () =>
    bench.store.pool.query("update sync_run set heartbeat_at = 'epoch' where state = 'running'");
  // The pool may have a connection of those that were cut.
  await until(() =>
    release().then(
      () => true,
      () => false,
    ),
  );
}

async function publishAll(world: World): Promise<ReadonlyMap<number, Copy>> {
  const states = new Map<number, Copy>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const isBack = round > 2 && world.random() < 0.2;
    await (isBack ? revertLayer(deps, LAYER, { by: 'Prøve' }) : publish(world, round));
    const { transaction } = await latestChange(bench.store.db);
    const now = await rowsInService(source(), LAYER);
    // What was refused, cut or found nothing new has left no event.
    if (states.has(transaction)) expect(now).toEqual(states.get(transaction));
    states.set(transaction, now);
  }
  return states;
}

test(`${ROUNDS} publications with the seed ${TEST_SEED}: extract and events are the store`, async () => {
  const isCut = bench.store.kind === 'postgres';
  const world = { random: randomFrom(TEST_SEED), fates: new Map<number, Fate>(), isCut, cuts: 0 };
  const states = await publishAll(world);
  expect(states.size).toBeGreaterThan(ROUNDS / 3);
  expect(isCut && ROUNDS > 10 ? world.cuts : 1).toBeGreaterThan(0);
  await expectAllWays(source(), LAYER, states);
  const transactions = await readTransactions(bench.store.db, { limit: 100_000 });
  const copy = new Map(states.get(transactions[0]?.nr ?? 0));
  const numbers = await applyEvents(source(), copy, { afterEvent: 1 });
  expect(numbers).toEqual(numbers.map((_, n) => n + 2));
  const counted = transactions.flatMap(({ counts }) => counts);
  const kinds = ['inserted', 'changed', 'removed', 'unread'] as const;
  expect(kinds.filter((kind) => !counted.some((each) => each[kind] > 0))).toEqual([]);
}, 1_200_000);
