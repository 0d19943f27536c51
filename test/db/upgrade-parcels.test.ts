/**
 * A store of the version before parcels were stored once (0032): the program starts on it, and every
 * address has the property it had, byte for byte, before and behind the first sync of the cadastre.
 */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintFirstKey } from '../../src/account/first-key.ts';
import { readPlans } from '../../src/account/plans.ts';
import { migrate } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { ADDRESSES, CADASTRE } from '../../src/layers/keys.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { openAddressService } from '../support/address-service.ts';
import type { AddressService } from '../support/address-service.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';

const MIGRATIONS = join(import.meta.dirname, '../../sql/migrations');
/** The first that the version before had not. */
const FIRST_NEW = 30;
const NEW = readdirSync(MIGRATIONS)
  .filter((file) => Number(file.slice(0, 4)) >= FIRST_NEW)
  .map((file) => file.replace(/\.sql$/, ''))
  .sort();
const BBR_AND_CADASTRE = ['bbr', 'matrikel'];
/** Numbers of rows of the sample's units that are asked for, beside all doors. */
const UNITS = 200;

/** The sample as this version mirrors it, which the answers are held against. */
let service: AddressService;
let old: TestStore;
let key: string;
/** What is asked, and what this version answers over a store of its own. */
let expected: ReadonlyMap<string, string>;
/** BFE numbers of the doors by plain SQL over the tables of the version before. */
let before: ReadonlyMap<string, number | null>;

beforeAll(async () => {
  service = await openAddressService();
  // A second version of the addresses, so that there is a way back.
  const { shelf } = service;
  const town = shelf.rows('SupplerendeBynavn')[0]!;
  const open = [{ ...town, navn: 'Nyopdigtet' }];
  shelf.change('SupplerendeBynavn', { at: '2026-11-08T00:00:00Z', close: [town], open });
  expect((await service.sync()).state).toBe('published');
  await service.loader.refresh();
  expected = await answersOfThisVersion();
  // Its row has more columns today than it had.
  const minted = await mintFirstKey(service.store, systemClock);
  if (minted === null) throw new Error('The store has an account already.');
  key = minted;
  old = await storeBefore();
});
afterAll(async () => {
  await old.close();
  await service.close();
});

/** A store with the migrations and the rows of the version before. */
async function storeBefore(): Promise<TestStore> {
  const store = await openTestStore({ purpose: 'sync' });
  await store.pool.query('drop schema public cascade');
  await store.pool.query('create schema public');
  const directory = mkdtempSync(join(tmpdir(), 'geoopslag-before-'));
  for (const file of readdirSync(MIGRATIONS)) {
    if (Number(file.slice(0, 4)) < FIRST_NEW)
      copyFileSync(join(MIGRATIONS, file), join(directory, file));
  }
  await migrate(store, directory);
  rmSync(directory, { recursive: true });
  for (const [table, columns] of await tablesOf(store)) await copyRows(store, table, columns);
  await putParcels(store);
  const { rows } = await store.pool.query<{ id: string; bfe: number | null }>(`
    select a.id::text, p.bfe::integer as bfe from address_access a
    left join address_parcel p on p.id = a.parcel_id and p.status = 3`);
  before = new Map(rows.map(({ id, bfe }) => [id, bfe]));
  return store;
}

/** Its tables of registers, of what is published and of keys, with their columns in order. */
async function tablesOf({ pool }: TestStore): Promise<readonly (readonly [string, string[]])[]> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and a.attgenerated = ''
      and (c.relname ~ '^(address|area|layer|store|dated)_?'
        or c.relname in ('area', 'covering_area', 'account', 'api_key'))
      and c.relname <> 'address_parcel'
    group by c.oid, c.relname
    order by c.relname in ('address_history', 'feature_history'), c.relname`);
  return rows.map(({ name, columns }) => [name, columns]);
}

/** A row of the history as it was before towns had DAGI's ids (0066). */
const TOWN_BEFORE = `case when entity = 'SupplerendeBynavn' then (
    select row(t.id, t.status, t.name, t.registered_from, t.valid_from)::text
    from (select (was::address_town).*) t where was is not null) else was end`;

/** Rows as text of the columns the version before had. */
async function copyRows(to: TestStore, table: string, columns: readonly string[]): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const given = columns.map((name) => (name === 'was' ? `${TOWN_BEFORE} as was` : `"${name}"`));
  const isOfNew = columns.includes('layer') ? `where layer <> all($1)` : '';
  const { rows } = await service.store.pool.query<{ row: string }>({
    text: `select q::text as row from (select ${given.join(', ')} from ${table} ${isOfNew}) q`,
    values: isOfNew === '' ? [] : [BBR_AND_CADASTRE],
  });
  await to.pool.query(`delete from ${table}`);
  await to.pool.query(
    `insert into ${table} (${names}) select ${columns.map((name) => `(r::${table})."${name}"`).join(', ')}
     from unnest($1::text[]) r`,
    [rows.map(({ row }) => row)],
  );
}

/** Parcels as the addresses had them: a table of theirs, a file it was read from, a step of history. */
async function putParcels(to: TestStore): Promise<void> {
  const parcels = await service.store.pool.query<{ row: string }>(
    'select q::text as row from (select id, status, bfe, registered_from, valid_from from cadastre_parcel) q',
  );
  await to.pool.query(
    'insert into address_parcel select (r::address_parcel).* from unnest($1::text[]) r',
    [parcels.rows.map(({ row }) => row)],
  );
  await to.pool.query(`
    insert into address_source (entity, version, total_generation, total_md5, generation, columns)
    values ('Jordstykke', '1', 690, '', 690, '[]')`);
  await to.pool.query(`
    update layer_history set sources = sources || (
      select jsonb_agg(to_jsonb(s)) from address_source s where entity = 'Jordstykke')
    where layer = 'adresser' and sources is not null`);
  await to.pool.query(`
    insert into address_history (layer, version, entity, id, was)
    select 'adresser', version, 'Jordstykke', '9600001', null from layer_history where layer = 'adresser'`);
}

/** Doors, flats, a place, and a written address, as this version answers them. */
async function answersOfThisVersion(): Promise<ReadonlyMap<string, string>> {
  const ids = await service.column(`
    (select id::text from address_access order by id)
    union all (select id::text from address_unit order by id limit ${UNITS})`);
  const { place, roadName, houseNumber, postcode, unitId } = KNOWN_ADDRESS;
  const betegnelse = encodeURIComponent(`${roadName} ${houseNumber}, ${postcode}`);
  const urls = [
    ...[...ids, unitId].map((id) => `/v1/adresser/${String(id)}`),
    `/v1/adresser/reverse?x=${place.x + 3}&y=${place.y}&srid=25832&radius=100`,
    `/v1/datavask?betegnelse=${betegnelse}`,
  ];
  const found = new Map<string, string>();
  for (const url of urls) found.set(url, (await service.app.inject(url)).body);
  return found;
}

/** Every address is asked for, one behind the other. */
function generousPlans(directory: string): string {
  const unitsPerMonth = { live: 1_000_000, test: 1_000_000 };
  const { free, pro, business } = readPlans();
  const often = { unitsPerMonth, requestsPerSecond: 100_000 };
  const path = join(directory, 'plans.json');
  writeFileSync(path, JSON.stringify({ free, business, pro: { ...pro, ...often } }));
  return path;
}

/** The program as it is started, asked by a key that was made in the version before. */
async function withProgram<T>(work: (ask: (url: string) => Promise<Response>) => Promise<T>) {
  const { databaseUrl, dataDir } = old;
  const program: StartedProgram = startProgram({
    ...{ SYNC: 'off', JOBS: 'off', DATA_DIR: dataDir, PLANS_FILE: generousPlans(dataDir) },
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  });
  try {
    const base = await program.base();
    const headers = { authorization: `Bearer ${key}`, 'accept-language': 'da' };
    const ask = (url: string) => fetch(`${base}${url}`, { headers });
    await program.until(async () => {
      const { status } = await ask(`/v1/adresser/${KNOWN_ADDRESS.accessId}`);
      return status === 200 ? true : undefined;
    });
    return await work(ask);
  } finally {
    await program.stop();
  }
}

async function expectSameAnswers(ask: (url: string) => Promise<Response>): Promise<void> {
  let numbered = 0;
  for (const [url, text] of expected) {
    const body = await (await ask(url)).text();
    expect(body, url).toBe(text);
    const id = url.split('/').at(-1) ?? '';
    const known = before.get(id);
    if (known === undefined) continue;
    expect((JSON.parse(body) as { bfe_nummer: number | null }).bfe_nummer, url).toBe(known);
    if (known !== null) numbered += 1;
  }
  // A sample without properties proves nothing.
  expect(numbered).toBeGreaterThan(500);
}

const migrated = async () =>
  (await old.pool.query<{ name: string }>('select name from schema_migration order by number')).rows
    .map(({ name }) => name)
    .filter((name) => NEW.includes(name));

test('a store of the version before is started on, and its addresses keep their properties', async () => {
  expect(await migrated()).toEqual([]);
  await withProgram(async (ask) => {
    expect(await migrated()).toEqual(NEW);
    await expectSameAnswers(ask);
    // The numbers of parcels alone are no cadastre, and no BBR.
    for (const url of ['/v1/matrikel/ejendom/9100001', '/v1/bbr/ejendom/9100001']) {
      expect((await ask(url)).status, url).toBe(503);
    }
  });
}, 300_000);

test('the first sync of the cadastre takes the place of what was kept, and nothing is answered otherwise', async () => {
  const deps = { ...service.deps, store: old };
  expect(await syncLayer(deps, CADASTRE, { trigger: 'command' })).toMatchObject({
    state: 'published',
    publication: { layer: CADASTRE, version: 1 },
  });
  const { rows } = await old.pool.query(
    'select count(*)::integer as nameless from cadastre_parcel where number is null',
  );
  expect(rows).toEqual([{ nameless: 0 }]);
  await withProgram(async (ask) => {
    await expectSameAnswers(ask);
    const own = await ask('/v1/matrikel/ejendom/9100001');
    expect(await own.json()).toMatchObject({ jordstykke: { matrikelnummer: '1a' } });
  });
}, 300_000);

test('the addresses go on from the files they were read from, and back to the version before', async () => {
  const deps = { ...service.deps, store: old };
  expect(await syncLayer(deps, ADDRESSES, { trigger: 'command' })).toMatchObject({
    state: 'unchanged',
    counts: { received: 0 },
  });
  const towns = async () =>
    (await old.pool.query(`select from address_town where name = 'Nyopdigtet'`)).rows.length;
  expect(await towns()).toBe(1);
  expect((await revertLayer(deps, ADDRESSES, { by: 'test' })).state).toBe('published');
  expect(await towns()).toBe(0);
});
