/**
 * A file of properties that takes over what no publication touched is the file that is made anew: in
 * random worlds in which everything may refer to anything, after random publications of each register.
 */
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import type { Store } from '../../src/db/connect.ts';
import { BBR_SCHEMA } from '../../src/registers/property/tables.ts';
import { CADASTRE_SCHEMA } from '../../src/registers/cadastre/tables.ts';
import { ADDRESS_SCHEMA } from '../../src/registers/addresses/tables.ts';
import { ASSESSMENT_SCHEMA } from '../../src/registers/assessments/tables.ts';
import { PROTECTION_SCHEMA } from '../../src/registers/property/protection/tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createPropertyLoader } from '../../src/registers/property/load.ts';
import { packRows } from '../../src/registers/property/packed.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import type { PropertyRecords } from '../../src/snapshot/property-records.ts';
import type { RegisterSchema } from '../../src/layers/register-tables.ts';
import { openTableStep } from '../../sync/mirrors/tables/history.ts';
import { id, publish, put } from '../support/property-store.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { ownFolder } from '../support/opened.ts';
import { TEST_SEED, amountOf, oneIn } from '../support/run-settings.ts';
import { sharedStore } from '../support/store.ts';
import { sharedWorkers } from '../support/sync-bench.ts';

const ROUNDS = amountOf({ gate: 3, night: 1_000 });
const NOW_MS = Date.UTC(2026, 0, 10);

const SCHEMAS = {
  bbr: BBR_SCHEMA,
  matrikel: CADASTRE_SCHEMA,
  adresser: ADDRESS_SCHEMA,
  vurdering: ASSESSMENT_SCHEMA,
  fbb: PROTECTION_SCHEMA,
};
const LAYERS = Object.keys(SCHEMAS) as Layer[];
type Layer = keyof typeof SCHEMAS;

const random = randomFrom(TEST_SEED);
const upTo = (most: number): number => Math.floor(random() * most);
const some = (make: () => string | number | null, share = 0.5) =>
  random() < share ? make() : null;

/** Rows a table has at first, and what of its columns is drawn: small numbers, so that much is shared. */
const property = () => id(100 + upTo(60));
const ground = () => id(300 + upTo(40));
const building = () => id(400 + upTo(60));
const floor = () => id(500 + upTo(60));
const entrance = () => id(600 + upTo(60));
const unit = () => id(700 + upTo(80));
const parcel = () => 8_000 + upTo(40);
const bfe = () => 9_000_001 + upTo(80);

type Draw = Readonly<Record<string, () => string | number | null>>;
type Key = Readonly<Record<string, string | number>>;
interface World {
  readonly layer: Layer;
  readonly key: () => Key;
  readonly rows: number;
  readonly draw: Draw;
}

const WORLD: Record<string, World> = {
  bbr_property: {
    ...{ layer: 'bbr', key: () => ({ id: property() }), rows: 50 },
    draw: { status: () => 7, bfe: () => some(bfe, 0.9), type: () => 'SFE' },
  },
  bbr_ground: {
    ...{ layer: 'bbr', key: () => ({ id: ground() }), rows: 30 },
    draw: { status: () => 7, property_id: () => some(property, 0.9) },
  },
  bbr_ground_parcel: {
    ...{ layer: 'bbr', key: () => ({ id: id(1_000 + upTo(40)) }), rows: 30 },
    draw: { ground_id: ground, parcel_id: () => some(parcel, 0.9) },
  },
  bbr_building: {
    ...{ layer: 'bbr', key: () => ({ id: building() }), rows: 50 },
    draw: {
      status: () => 6,
      number: () => upTo(9),
      ground_id: () => some(ground, 0.7),
      parcel_id: () => some(parcel, 0.5),
      foreign_property_id: () => some(property, 0.1),
      flat_property_id: () => some(property, 0.1),
    },
  },
  bbr_building_property: {
    ...{ layer: 'bbr', key: () => ({ id: id(1_100 + upTo(20)) }), rows: 8 },
    draw: { building_id: building, property_id: property },
  },
  bbr_floor: {
    ...{ layer: 'bbr', key: () => ({ id: floor() }), rows: 50 },
    draw: { status: () => 6, area: () => upTo(99), building_id: building },
  },
  bbr_entrance: {
    ...{ layer: 'bbr', key: () => ({ id: entrance() }), rows: 50 },
    draw: { status: () => 6, building_id: building },
  },
  bbr_unit: {
    ...{ layer: 'bbr', key: () => ({ id: unit() }), rows: 60 },
    draw: {
      status: () => 6,
      total_area: () => upTo(99),
      floor_id: () => some(floor),
      entrance_id: () => some(entrance),
      building_id: () => some(building, 0.2),
      flat_property_id: () => some(property, 0.1),
    },
  },
  bbr_unit_property: {
    ...{ layer: 'bbr', key: () => ({ id: id(1_200 + upTo(30)) }), rows: 15 },
    draw: { unit_id: unit, property_id: property },
  },
  bbr_facility: {
    ...{ layer: 'bbr', key: () => ({ id: id(1_300 + upTo(60)) }), rows: 40 },
    draw: {
      status: () => 6,
      number: () => upTo(99),
      ground_id: () => some(ground, 0.3),
      building_id: () => some(building, 0.3),
      unit_id: () => some(unit, 0.3),
      foreign_property_id: () => some(property, 0.2),
      flat_property_id: () => some(property, 0.2),
    },
  },
  cadastre_district: {
    ...{ layer: 'matrikel', key: () => ({ id: 7_000 + upTo(8) }), rows: 8 },
    draw: { code: () => upTo(99_999), name: () => `Ejerlav ${upTo(99)}` },
  },
  cadastre_property: {
    ...{ layer: 'matrikel', key: () => ({ id: 6_000 + upTo(20) }), rows: 10 },
    draw: { status: () => 3, bfe },
  },
  cadastre_flat: {
    ...{ layer: 'matrikel', key: () => ({ id: 5_000 + upTo(20) }), rows: 10 },
    draw: { status: () => 3, bfe },
  },
  cadastre_foreign_building: {
    ...{ layer: 'matrikel', key: () => ({ id: 4_000 + upTo(20) }), rows: 5 },
    draw: { status: () => 3, bfe },
  },
  cadastre_parcel: {
    ...{ layer: 'matrikel', key: () => ({ id: parcel() }), rows: 30 },
    draw: {
      status: () => 3,
      bfe: () => some(bfe, 0.9),
      number: () => `${upTo(99)}a`,
      district_id: () => 7_000 + upTo(8),
    },
  },
  address_property: {
    ...{ layer: 'adresser', key: () => ({ id: id(1_400 + upTo(40)) }), rows: 20 },
    draw: { status: () => 3, bfe },
  },
};

for (const { table } of PROTECTION_SCHEMA.tables) {
  WORLD[table] = {
    ...{ layer: 'fbb', key: () => ({ id: upTo(9), status: upTo(5), value: upTo(9) }), rows: 9 },
    draw: { building_id: () => some(building, 0.9) },
  };
}
WORLD['assessment'] = {
  ...{ layer: 'vurdering', key: () => ({ bfe: bfe() }), rows: 30 },
  draw: {
    assessments: () => JSON.stringify([Array.from({ length: 13 }, () => upTo(99))]),
    unresolved: () => upTo(3),
  },
};

const workers = sharedWorkers();

const store = await sharedStore();
const directory = ownFolder('property-changes');

function openLoader(
  name: string,
  {
    builds = store.builds,
    log = (message: string): void => expect.fail(message),
  }: { builds?: Store['builds']; log?: (message: string) => void } = {},
) {
  return createPropertyLoader({
    ...{ clock: { nowMs: () => NOW_MS }, store: { db: store.db, builds }, workers },
    ...{ storeName: 'test', directory: join(directory, name), log },
  });
}

async function recordsIn(records: PropertyRecords) {
  const all = Array.from({ length: records.count }, (_, place) => records.numberAt(place) ?? 0);
  return [...(await records.read(all))];
}

function drawn({ draw }: World): Record<string, string | number | null> {
  return Object.fromEntries(Object.entries(draw).map(([name, value]) => [name, value()]));
}

function entityOf(layer: Layer, table: string): string {
  const schema: RegisterSchema = SCHEMAS[layer];
  const tables = [...schema.tables, ...(schema.fold === undefined ? [] : [schema.fold.into])];
  return tables.find((each) => each.table === table)!.entity;
}

/** As the machine of tables publishes a delta: what it replaces is kept, then replaced. */
async function publishChange(layer: Layer, round: number): Promise<string> {
  const schema = SCHEMAS[layer];
  const tables = Object.keys(WORLD).filter((name) => WORLD[name]!.layer === layer);
  const changes: string[] = [];
  const { beside } = schema;
  const step = await store.db
    .transaction()
    .execute((trx) => openTableStep(trx, REGISTERS_CATALOGUE.registers[layer]));
  for (let i = 0; i <= upTo(3); i += 1) {
    // Facilities name most of the others.
    const isFacility = layer === 'bbr' && random() < 0.3;
    const table = isFacility ? 'bbr_facility' : tables[upTo(tables.length)]!;
    const world = WORLD[table]!;
    const entity = entityOf(layer, table);
    const key = world.key();
    // As the machine of tables writes keys of one column and of several (sync/mirrors/tables/keys.ts).
    const [only, ...more] = Object.values(key);
    const text =
      more.length === 0 ? String(only) : JSON.stringify([only, ...more]).replaceAll(',', ', ');
    const isKey = Object.keys(key)
      .map((name, n) => `t.${name} = $${n + 4}`)
      .join(' and ');
    await store.pool.query(
      `insert into ${beside.history} (version, entity, id, was)
       select $1, $2, $3, (select t::text from ${table} t where ${isKey})
       on conflict do nothing`,
      [step, entity, text, ...Object.values(key)],
    );
    await store.pool.query(
      `delete from ${table} t where ${isKey.replaceAll(/\$(\d+)/g, (_, n) => `$${Number(n) - 3}`)}`,
      Object.values(key),
    );
    const isGone = random() < 0.3;
    if (!isGone) await put(store, table, { ...key, ...drawn(world) });
    changes.push(`${table} ${text}${isGone ? ' gone' : ''}`);
  }
  await publish(store, layer, { syncedAtMs: NOW_MS, tables: schema.tables.map((t) => t.entity) });
  await store.pool.query(
    `update layer_state set published_at = published_at + $2 * interval '1 s' where layer = $1`,
    [layer, round + 1],
  );
  return changes.join(', ');
}

test(`${ROUNDS} publications with the seed ${TEST_SEED}: every record is that of a file made anew`, async () => {
  for (const [table, world] of Object.entries(WORLD)) {
    const keys = Array.from({ length: world.rows }, () => world.key());
    const each = new Map(keys.map((key) => [JSON.stringify(key), key]));
    for (const key of each.values()) await put(store, table, { ...key, ...drawn(world) });
  }
  for (const layer of LAYERS) {
    const tables = SCHEMAS[layer].tables.map(({ entity }) => entity);
    await publish(store, layer, { syncedAtMs: NOW_MS, tables });
  }
  const changed = openLoader('changed');
  await changed.refresh();
  let taken = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const layer = ([...LAYERS, 'bbr', 'bbr'] as const)[upTo(LAYERS.length + 2)]!;
    const what = await publishChange(layer, round);
    await changed.refresh();
    const anew = openLoader(`anew-${round}`);
    await anew.refresh();
    const [ours, theirs] = [changed.current!.records, anew.current!.records];
    expect(await recordsIn(ours), what).toEqual(await recordsIn(theirs));
    expect(theirs.meta.written).toBe(theirs.count);
    taken += ours.count - ours.meta.written;
    theirs.retire();
  }
  const some = oneIn(4, await recordsIn(changed.current!.records));
  const alone = [];
  for (const [bfe] of some) {
    const { rows } = await readProperties(store, {
      ...{ bfes: [bfe], atMs: NOW_MS, mostRows: 50_000, mayAsk: () => true },
    });
    alone.push([bfe, packRows(rows.get(bfe)!)]);
  }
  expect(alone, 'asked for alone').toEqual(some);
  // What was touched is a part: most was taken over.
  expect(taken / ROUNDS).toBeGreaterThan(changed.current!.records.count / 2);
});

test('a process that starts behind a publication takes over from the file of the run before', async () => {
  await publishChange('bbr', ROUNDS);
  const again = openLoader('changed');
  again.start();
  await expect.poll(() => again.current?.isPublished() === true).toBe(true);
  const anew = openLoader('anew-again');
  await anew.refresh();
  const [ours, theirs] = [again.current!.records, anew.current!.records];
  expect(ours.meta.written).toBeLessThan(ours.count / 2);
  expect(await recordsIn(ours)).toEqual(await recordsIn(theirs));
  await again.stop();
});

const onPostgres = inject('storeTemplate').kind === 'postgres';

test.runIf(onPostgres)(
  'where it is not found in time what a publication touched, all is made anew',
  async () => {
    const pool = new pg.Pool({ ...store.pool.options, max: 1, statement_timeout: 3_000 });
    // Its database is dropped while the last of its connections may still be closing.
    pool.on('error', () => undefined);
    const builds = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const lines: string[] = [];
    const loader = openLoader('in-time', { builds, log: (line) => void lines.push(line) });
    await loader.refresh();
    await publishChange('bbr', ROUNDS + 1);
    const client = await store.pool.connect();
    await client.query('begin; lock table bbr_history');
    await loader.refresh();
    await client.query('rollback');
    client.release();
    expect(lines).toEqual([expect.stringContaining('took too long: all are read anew')]);
    const { records, isPublished } = loader.current!;
    expect(isPublished()).toBe(true);
    expect(records.meta.written).toBe(records.count);
    await builds.destroy();
  },
);
