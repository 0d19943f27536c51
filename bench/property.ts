/**
 * Properties over HTTP: one record beside bare Fastify with a body of its size, a batch of 150 beside the one
 * statement it reads them by. Over generated rows in a private PostgreSQL; keys and limits are left out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/http/app.ts';
import type { Services } from '../src/http/services.ts';
import type { Store } from '../src/db/connect.ts';
import { REGISTERS_CATALOGUE } from '../src/layers/catalogue.ts';
import { createPropertyLoader } from '../src/memory/property-loader.ts';
import type { PropertyLoader } from '../src/memory/property-loader.ts';
import { composePropertyLookups } from '../src/start/property-lookups.ts';
import { readProperties } from '../src/registers/property/store.ts';
import { createWorkers } from '../workers/pool.ts';
import { itemsPerSecond, quantile } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, openPostgres } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';

const FIRST = 9_100_001;
const BATCH = 150;
const SINGLES = 2_000;
const COUNTRY = 2_700_000;

/** Rows for the table of `npm run bench`. */
export async function benchProperty(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const store = await openMigrated(cleanup, await openPostgres(cleanup));
  const count = Math.round(COUNTRY * scaleOption());
  await fillProperties(store, count);
  const bfeOf = (n: number): number => FIRST + ((n * 7_919) % count);
  const { loader, buildS } = await openFile(cleanup, store);
  const ours = await serve(cleanup, await propertyApp(store, loader));
  const sample = await (await fetch(`${ours}/v1/bbr/ejendom/${FIRST}`)).text();
  const bare = await serve(cleanup, bareApp(sample));
  const [one, beside] = await latencies(
    (n) => `${ours}/v1/bbr/ejendom/${bfeOf(n)}`,
    () => `${bare}/`,
  );
  const numbers = (n: number) => Array.from({ length: BATCH }, (_, i) => bfeOf(n * BATCH + i));
  const batch = await itemsPerSecond({ size: BATCH, warmUps: 10 }, async (n) => {
    const answer = await fetch(`${ours}/v1/bbr/ejendom:batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bfe: numbers(n) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
  });
  const statement = await itemsPerSecond({ size: BATCH, warmUps: 10 }, (n) =>
    readProperties(store, {
      ...{ bfes: numbers(n), atMs: Date.now(), mostRows: 50_000, mayAskCadastre: () => true },
    }),
  );
  const named = `bare Fastify, ${sample.length} bytes`;
  return [
    row('file of records, built', count / buildS, 'records/s'),
    row('memory of its index', loader.view().bytes / 2 ** 20, 'MiB', {
      gate: '<= 300 at national size (goal 100)',
    }),
    row('one property over HTTP, p50', quantile(one, 0.5), 'ms', {
      beside: [named, quantile(beside, 0.5)],
      ratioGate: '<= 3 (goal 1.5)',
    }),
    row('one property over HTTP, p99', quantile(one, 0.99), 'ms', {
      beside: [named, quantile(beside, 0.99)],
      ratioGate: '<= 3 (goal 2)',
    }),
    row(`batch of ${BATCH} over HTTP`, batch, 'records/s', {
      beside: ['the statement and its rows', statement],
      gate: '>= 5,000 (goal 15,000)',
    }),
  ];
}

/** The file that answers beside the store, as the service builds it. */
async function openFile(
  cleanup: Cleanup,
  store: Store,
): Promise<{ readonly loader: PropertyLoader; readonly buildS: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'geoopslag-property-'));
  cleanup.defer(() => rmSync(directory, { recursive: true, force: true }));
  const workers = createWorkers({ threads: 1 });
  cleanup.defer(() => workers.close());
  const loader = createPropertyLoader({
    ...{ directory, storeName: 'bench', log: (message: string) => console.error(message) },
    ...{ clock: { nowMs: () => Date.now() }, store, workers },
  });
  cleanup.defer(() => loader.stop());
  const startedMs = performance.now();
  await loader.refresh();
  const buildS = (performance.now() - startedMs) / 1_000;
  if (loader.current === null) throw new Error('The file of properties was not built.');
  return { loader, buildS };
}

/** Milliseconds of requests that take turns. */
async function latencies(
  ...urls: readonly [(n: number) => string, (n: number) => string]
): Promise<readonly [number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  for (let n = -200; n < SINGLES; n++) {
    for (const [i, urlOf] of urls.entries()) {
      const start = performance.now();
      const answer = await fetch(urlOf(Math.abs(n)));
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.status} of ${urlOf(n)}`);
      if (n >= 0) taken[i]?.push(performance.now() - start);
    }
  }
  return taken;
}

async function serve(cleanup: Cleanup, app: FastifyInstance): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  cleanup.defer(() => app.close());
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

function bareApp(body: string): FastifyInstance {
  const app = Fastify();
  app.get('/', (_request, reply) => {
    void reply.type('application/json').send(body);
  });
  return app;
}

async function propertyApp(store: Store, propertyMemory: PropertyLoader): Promise<FastifyInstance> {
  const notHere = () => Promise.reject(new Error('Only properties are measured here.'));
  const services: Services = {
    access: null,
    catalogue: REGISTERS_CATALOGUE,
    sourceNames: { lines: '', areas: '' },
    buildingLines: null,
    areas: { find: notHere },
    reverseAreas: { at: notHere },
    status: notHere,
    readiness: () => Promise.resolve('ready'),
    hasStarted: () => true,
    ...composePropertyLookups({
      ...{ catalogue: REGISTERS_CATALOGUE, clock: { nowMs: () => Date.now() }, store },
      ...{
        addressMemory: null,
        propertyMemory,
        memory: null,
        isInvented: true,
        onExpired: () => undefined,
      },
    }),
  };
  return await buildApp(services, {
    ...{ publicUrl: 'http://127.0.0.1', logLevel: 'silent', newRequestId: () => 'bench' },
  });
}

/**
 * Each with a ground, a house, two sheds, and every other one a basement; a unit; a tank on every fourth; a
 * parcel: about what one has in the country.
 */
async function fillProperties(store: Store, count: number): Promise<void> {
  const id = (kind: number, n = 'n') =>
    `lpad(to_hex(${kind}), 8, '0')::text || '-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0')`;
  const times = `'2017-06-02'::timestamptz, '2000-02-05'::timestamptz`;
  const put = (table: string, columns: string, values: string, where = 'true') =>
    store.pool.query(
      `insert into ${table} (${columns}, registered_from, valid_from)
       select ${values}, ${times} from generate_series(0, ${count - 1}) n where ${where}`,
    );
  const uuid = (kind: number) => `(${id(kind)})::uuid`;
  await put('bbr_property', 'id, status, bfe, type', `${uuid(1)}, 7, ${FIRST} + n, 'SFE'`);
  await put('bbr_ground', 'id, status, property_id, drainage', `${uuid(2)}, 7, ${uuid(1)}, '10'`);
  await put('bbr_ground_parcel', 'id, ground_id, parcel_id', `${uuid(3)}, ${uuid(2)}, n`);
  for (const [i, use] of ['120', '910', '930'].entries()) {
    await put(
      'bbr_building',
      `id, status, ground_id, parcel_id, number, use, built_year, total_area, outer_wall, roof, heating,
       geom, coordinate_system`,
      `${uuid(10 + i)}, 6, ${uuid(2)}, n, ${i + 1}, '${use}', 1968, 120, '1', '5', '2',
       ST_SetSRID(ST_MakePoint(500000 + n % 1000, 6200000 + n / 1000), 25832), '5'`,
      i === 2 ? 'n % 2 = 0' : 'true',
    );
  }
  const floor = 'id, status, building_id, designation, type, area';
  await put('bbr_floor', floor, `${uuid(20)}, 6, ${uuid(10)}, 'st', '0', 0`);
  await put('bbr_floor', floor, `${uuid(21)}, 6, ${uuid(10)}, 'kl', '0', 50`, 'n % 3 = 0');
  await put('bbr_entrance', 'id, status, building_id', `${uuid(30)}, 6, ${uuid(10)}`);
  await put(
    'bbr_unit',
    'id, status, floor_id, entrance_id, use, total_area, rooms, address_id',
    `${uuid(40)}, 6, ${uuid(20)}, ${uuid(30)}, '120', 120, 4, ${uuid(50)}`,
  );
  await put(
    'bbr_facility',
    'id, status, ground_id, class, number, size, contents',
    `${uuid(60)}, 6, ${uuid(2)}, '1110', 1, 2500, '12'`,
    'n % 4 = 0',
  );
  await put('cadastre_parcel', 'id, status, bfe, number', `n, 3, ${FIRST} + n, '1a'`);
  await publishAll(store);
  await store.pool.query('analyze');
}

async function publishAll({ pool }: Store): Promise<void> {
  const sources = { bbr: 'bbr_source', matrikel: 'cadastre_source' } as const;
  for (const id of ['bbr', 'matrikel'] as const) {
    await pool.query(
      `insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
       values ($1, 1, 1, now(), now(), 1, 0)`,
      [id],
    );
    const { tables } = REGISTERS_CATALOGUE.registers[id].schema;
    await pool.query(
      `insert into ${sources[id]} (entity, version, total_generation, total_md5, generation, columns)
       select unnest($1::text[]), '1', 1, '', 1, '[]'`,
      [tables.map(({ entity }) => entity)],
    );
  }
}
