/**
 * Watch-lists: a million watched addresses and a thousand areas compared with a publication of 10,000 changes, and the
 * first delivery made of it; beside reading the publication's events alone.
 */
import { sql } from 'kysely';
import { readEvents } from '../src/changes/events.ts';
import { latestChange } from '../src/changes/log.ts';
import type { Store } from '../src/db/connect.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import { ADDRESS_REGISTER } from '../src/registers/addresses/mirror.ts';
import { Comparer } from '../src/watch/comparer.ts';
import { createWatchLists } from '../src/watch/lists.ts';
import { logChanges } from '../sync/changes.ts';
import { composeAccounts } from '../src/start/accounts.ts';
import { createWorkers } from '../workers/pool.ts';
import { numberOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openMigrated, openPostgres } from './harness/store.ts';

const UNITS = 1_500_000;
const LISTS = 10;
const OBJECTS = 100_000;
const AREAS = 1_000;
/** Of each entity that addresses change with. */
const CHANGED = { Adresse: 8_000, Husnummer: 1_000, Adressepunkt: 900, NavngivenVej: 100 } as const;
const TABLES = {
  ...{ Adresse: 'address_unit', Husnummer: 'address_access' },
  ...{ Adressepunkt: 'address_point', NavngivenVej: 'address_road' },
} as const;

export async function benchWatch(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const store = await openMigrated(cleanup, await openPostgres(cleanup));
  const workers = createWorkers({ threads: 1 });
  cleanup.defer(() => workers.close());
  const units = numberOption('units', UNITS);
  await fill(store, units);
  const parts = { store, workers, clock: systemClock, onDue: () => undefined };
  await makeLists(parts, units);
  await publish(store);
  const schemas = new Map([[ADDRESSES, ADDRESS_REGISTER.schema]]);
  const readMs = await timed(async () => {
    const { transaction: nr } = await latestChange(store.db);
    const range = { fromTransaction: nr, toTransaction: nr };
    for await (const event of readEvents({ db: store.db, schemas }, range)) void event;
  });
  const comparer = new Comparer({ ...parts, log: console, schemas });
  const comparedMs = await timed(async () => {
    while (await comparer.step());
  });
  const found = await sql<{ lists: number; events: number; deliveries: number; kb: number }>`
    select count(*)::integer as lists, sum(found_events)::integer as events,
      (select count(*)::integer from webhook_delivery) as deliveries,
      (select max(length(body)) / 1024 from webhook_delivery)::integer as kb
    from watch_list where found_events > 0`.execute(store.db);
  const { lists = 0, events = 0, deliveries = 0, kb = 0 } = found.rows[0] ?? {};
  return [
    row('watched addresses', LISTS * OBJECTS, 'objects'),
    row('lists that were found, those of areas with them', lists, 'lists'),
    row('… their events', events, 'events'),
    row('… deliveries made', deliveries, 'deliveries'),
    row('… the longest', kb, 'KiB'),
    row('compared with a publication of 10,000 changes', comparedMs / 1_000, 's', {
      beside: ['reading its events', readMs / 1_000],
      gate: '<= 60 (goal 10)',
    }),
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

const uuid = (kind: number, n: string) =>
  sql.raw(`('0000000${kind}-0000-4000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`);

/** Two addresses a house number, 33 house numbers a road; a first version of them. */
async function fill({ db }: Store, units: number): Promise<void> {
  const houses = Math.ceil(units / 2);
  const times = sql`now() - interval '1 year', now() - interval '1 year'`;
  await sql`insert into address_road (id, status, name, registered_from, valid_from)
    select ${uuid(1, 'n')}, 3, 'Vej ' || n, ${times} from generate_series(0, ${Math.ceil(houses / 33)}::integer) n`.execute(
    db,
  );
  await sql`insert into address_point (id, status, geom, registered_from, valid_from)
    select ${uuid(2, 'n')}, 3, ST_SetSRID(ST_MakePoint(500000 + n % 1000 * 100, 6100000 + n / 1000 * 100), 25832), ${times}
    from generate_series(0, ${houses}::integer) n`.execute(db);
  await sql`insert into address_access (id, status, road_id, house_number, point_id, registered_from, valid_from)
    select ${uuid(3, 'n')}, 3, ${uuid(1, 'n / 33')}, n % 33, ${uuid(2, 'n')}, ${times}
    from generate_series(0, ${houses}::integer) n`.execute(db);
  await sql`insert into address_unit (id, status, access_id, designation, registered_from, valid_from)
    select ${uuid(4, 'n')}, 3, ${uuid(3, 'n / 2')}, 'Adresse ' || n, ${times}
    from generate_series(0, ${units}::integer) n`.execute(db);
  await sql`analyze address_road, address_point, address_access, address_unit`.execute(db);
  await sql`insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
    select ${ADDRESSES}, 1, generation + 1, now(), now(), ${units}, 0 from store_state`.execute(db);
  await sql`update store_state set generation = generation + 1`.execute(db);
}

type Parts = Parameters<typeof createWatchLists>[0] & { readonly store: Store };

/** Ten lists of addresses spread over the country, and one of areas. */
async function makeLists(parts: Parts, units: number): Promise<void> {
  const { store } = parts;
  const made = composeAccounts({ store, clock: systemClock });
  const lists = createWatchLists(parts);
  const step = Math.floor(units / (LISTS * OBJECTS));
  for (let n = 0; n <= LISTS; n++) {
    const { id } = await made.accounts.create({
      name: 'Bench',
      email: `${n}@bench.example`,
      tier: 'pro',
    });
    await made.keyAdmin.mint(id, { name: 'b', kind: 'secret', environment: 'test' });
    await sql`insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix, sealed_secret, created_at)
      values ('webhook_' || right(${id}, 20), ${id}, 'https://hooks.example/', 'hooks.example',
        '{watch.changed}', 'whsec_abcd', 'x', now())`.execute(store.db);
    const objects = Array.from({ length: OBJECTS }, (_, at) => {
      const unit = step * (n * OBJECTS + at);
      return `00000004-0000-4000-8000-${unit.toString(16).padStart(12, '0')}`;
    });
    const list =
      n < LISTS
        ? ({ kind: 'adresse', objects } as const)
        : ({ kind: 'polygon', objects: Array.from({ length: AREAS }, squareOf) } as const);
    await lists.create(id, { name: 'Bench', ...list });
  }
  await made.stop();
}

function squareOf(_: unknown, n: number): string {
  const [x, y] = [500_000 + (n % 30) * 3_000, 6_100_000 + Math.floor(n / 30) * 2_000];
  return `SRID=25832;POLYGON((${x} ${y},${x + 900} ${y},${x + 900} ${y + 900},${x} ${y + 900},${x} ${y}))`;
}

/** Rows spread over the country change, with what a sync keeps of a publication. */
async function publish({ db }: Store): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into layer_history (layer, version, synced_at, published_at, row_count)
      values (${ADDRESSES}, 2, now(), now(), 0)`.execute(trx);
    for (const [entity, count] of Object.entries(CHANGED)) {
      const name = TABLES[entity as keyof typeof TABLES];
      const table = sql.table(name);
      await sql`insert into address_history (version, entity, id, was)
        select 2, ${entity}, t.id::text, t::text from (
          select *, row_number() over (order by id) as n, count(*) over () as all from ${table}) s
        join ${table} t on t.id = s.id
        where s.n % greatest(s.all / ${count}::integer, 1) = 0 limit ${count}`.execute(trx);
      await sql`update ${table} t set valid_from = now() from address_history h
        where h.version = 2 and h.entity = ${entity} and t.id = h.id::uuid`.execute(trx);
    }
    await sql`update store_state set generation = generation + 1`.execute(trx);
    await sql`update layer_state set version = 2, generation = (select generation from store_state)`.execute(
      trx,
    );
    const { rows } = await sql<{ generation: number }>`
      select generation::float8 as generation from store_state`.execute(trx);
    const publication = {
      layer: ADDRESSES,
      version: 2,
      generation: rows[0]?.generation ?? 0,
      rowCount: 0,
    };
    await logChanges(trx, { publication, step: 2, nowMs: Date.now(), register: ADDRESS_REGISTER });
  });
}
