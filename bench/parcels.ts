/**
 * Parcels in process: their index built from a store, its memory, and the processor time of a point beside
 * `ST_Covers` over the same parcels in the same run. `--count=2600000` is the whole country.
 */
import { join } from 'node:path';
import pg from 'pg';
import type { PointUtm32 } from '../src/geo/point.ts';
import { createParcelLoader } from '../src/registers/cadastre/load.ts';
import type { ParcelsInMemory } from '../src/registers/cadastre/load.ts';
import type { Store } from '../src/db/connect.ts';
import { createWorkers } from '../workers/pool.ts';
import { interleave, median, seconds, threadCpuUs } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { backendUs } from './harness/database-cpu.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, openPostgres } from './harness/store.ts';
import type { Cleanup, Data } from './harness/store.ts';
import { ParcelNet } from './national/parcels.ts';
import { fillParcels } from './parcel-fill.ts';

const COUNT = 80_000;
const POINTS = 10_000;
const ROUNDS = 5;
const MIB = 2 ** 20;
const TEXTS = ['12a opdigtede', 'bmarker', 'bmarkre', '59', '9999999 by', 'zzz', 'by', 'by, 12'];
const SEARCHES = 20;

export async function benchParcels(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const data = await openPostgres(cleanup);
  const store = await openMigrated(cleanup, data);
  const net = new ParcelNet(numberOption('count', COUNT));
  const fillS = await seconds(() => fillParcels(store, net));
  const { held, buildS, bytes } = await buildIndex(cleanup, store, data);
  return [
    row('parcels', net.count, 'rows'),
    row('fill the store', fillS, 's'),
    row('index of parcels, built from the store', buildS, 's'),
    row('… in memory', bytes / MIB, 'MiB'),
    ...(await pointRows(cleanup, { held, net, data })),
    ...searchRows(held),
  ];
}

async function buildIndex(cleanup: Cleanup, store: Store, { dataDir }: Data) {
  const workers = createWorkers({ threads: 1 });
  cleanup.defer(() => workers.close());
  const loader = createParcelLoader({
    ...{ store, workers, storeName: 'bench', log: (message: string) => console.error(message) },
    directory: join(dataDir, 'parcels'),
  });
  const buildS = await seconds(() => loader.refresh());
  const held = loader.current;
  if (held === null) throw new Error('The index of parcels was not built.');
  return { held, buildS, bytes: loader.view().bytes };
}

interface Asked {
  readonly held: ParcelsInMemory;
  readonly net: ParcelNet;
  readonly data: Data;
}

/** Medians of interleaved rounds. */
async function pointRows(
  cleanup: Cleanup,
  { held: { index }, net, data }: Asked,
): Promise<readonly BenchRow[]> {
  const client = new pg.Client({ connectionString: data.databaseUrl! });
  await client.connect();
  cleanup.defer(() => client.end());
  // At national size the planner would start a worker for each statement.
  await client.query('set max_parallel_workers_per_gather = 0');
  const points = net.points(POINTS, 5);
  const contestants = {
    ours: () => ownCpuUs(points, (point) => index.at(point).length),
    postgis: () => coversCpuUs(client, points),
  };
  const { ours, postgis } = await interleave(contestants, { rounds: ROUNDS, warmUps: 1 });
  const theirs = (of: (used: (typeof postgis)[number]) => number) => median(postgis.map(of));
  const ourUs = median(ours.map(({ cpuUs }) => cpuUs));
  const covers = 'ST_Covers, PostgreSQL alone';
  return [
    row('parcels at a point', ours[0]!.found, 'parcels', {
      beside: ['ST_Covers', postgis[0]!.found],
      ratioGate: '1',
    }),
    row('parcel by point, processor time', ourUs, 'µs'),
    row('ST_Covers of the same points, with its asker', theirs(both), 'µs', {
      beside: ['the index in memory', ourUs],
      ratioGate: '>= 10 (goal 50)',
    }),
    row(
      covers,
      theirs(({ serverUs }) => serverUs),
      'µs',
      {
        beside: ['the index in memory', ourUs],
        ratioGate: '>= 10 (goal 50)',
      },
    ),
  ];
}

const both = ({ serverUs, ownUs }: { serverUs: number; ownUs: number }) => serverUs + ownUs;

/** A point; `found`: parcels a point. */
function ownCpuUs(points: readonly PointUtm32[], at: (point: PointUtm32) => number) {
  let found = 0;
  const cpuUs = threadCpuUs(() => {
    for (const point of points) found += at(point);
  });
  return { cpuUs: cpuUs / points.length, found: found / points.length };
}

async function coversCpuUs(client: pg.Client, points: readonly PointUtm32[]) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const text = `select parcel_id, ST_AsBinary(geom, 'NDR') from cadastre_face
    where ST_Covers(geom, ST_SetSRID(ST_MakePoint($1, $2), 25832))`;
  const [own, server] = [process.threadCpuUsage(), backendUs(rows[0]!.pid)];
  let found = 0;
  for (const { xUtm32, yUtm32 } of points) {
    const answer = await client.query({ name: 'covers', text, values: [xUtm32, yUtm32] });
    found += answer.rows.length;
  }
  const { user, system } = process.threadCpuUsage(own);
  return {
    serverUs: (backendUs(rows[0]!.pid) - server) / points.length,
    ownUs: (user + system) / points.length,
    found: found / points.length,
  };
}

function searchRows({ index }: ParcelsInMemory): readonly BenchRow[] {
  return TEXTS.map((text) => {
    const question = { text, municipalityCodes: [], limit: 20 };
    index.search(question);
    const cpuUs = threadCpuUs(() => {
      for (let n = 0; n < SEARCHES; n++) index.search(question);
    });
    return row(`search "${text}", processor time`, cpuUs / SEARCHES, 'µs');
  });
}
