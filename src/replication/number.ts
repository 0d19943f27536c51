/** One process at a time, each transaction atomically (D231). */
import { sql } from 'kysely';
import type { Db, Store } from '../db/connect.ts';
import { readAgain } from '../db/replaced-table.ts';
import { allRows, firstRow, oneRow } from '../db/rows.ts';
import type { MirrorId } from '../layers/keys.ts';
import { beginEntities, passEntities } from './definitions.ts';
import { ENTITIES, REPLICATED, mirrorsOf } from './entities.ts';
import type { Entity } from './entity.ts';
import { RowsAt, isOf, withTables } from './rows-at.ts';
import type { Mirrored, Versions } from './rows-at.ts';
import { EntityAt } from './rows.ts';

const LIMITS = {
  /** Drivers per statement. */
  page: 5_000,
} as const;

interface Logged {
  readonly nr: number;
  readonly layer: MirrorId;
  readonly version: number;
  readonly is_start: boolean;
}

interface Step extends Logged {
  readonly before: Versions;
  readonly after: Versions;
}

export interface OperationCounts {
  readonly entitet: string;
  inserts: number;
  updates: number;
  deletes: number;
}

/** Returns how many transactions it numbered. */
export async function numberReplication(
  { db }: Pick<Store, 'db'>,
  signal?: AbortSignal,
): Promise<number> {
  const next = () => {
    signal?.throwIfAborted();
    return db.transaction().execute(numberNext);
  };
  let done = 0;
  while (await readAgain(next)) done++;
  await sweepOld(db);
  return done;
}

/** false: there was none. */
async function numberNext(trx: Db): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('replication_transaction'))`.execute(trx);
  await beginEntities(trx);
  const logged = await firstRow<Logged & { last_event: number }>(trx)`
    select c.nr, c.layer, c.version::float8 as version, c.is_start or c.is_gone as is_start, l.last_event
    from (
      select coalesce(max(nr), 0) as nr, coalesce(max(last_event), 0) as last_event
      from replication_transaction) l
    join change_transaction c on c.nr > l.nr and c.layer = any(${[...REPLICATED]}::text[])
    order by c.nr limit 1`;
  if (logged === null) return false;
  // Two numbers, so that a reader before a start is refused and one at it continues.
  const taken = logged.last_event + (logged.is_start ? 2 : 0);
  await sql`
    insert into replication_transaction (nr, layer, at, is_start, last_event, counts)
    select nr, layer, at, ${logged.is_start}::boolean, ${taken}::integer, '[]' from change_transaction
    where nr = ${logged.nr}`.execute(trx);
  if (!logged.is_start) await numberEvents(trx, logged);
  await passEntities(trx, logged.nr);
  return true;
}

/** Keeps a layer's latest. */
async function sweepOld(trx: Db): Promise<void> {
  await sql`
    delete from replication_transaction t
    where exists (
      select from change_transaction c where c.layer = t.layer and c.nr > t.nr and c.is_gone)`.execute(
    trx,
  );
}

async function numberEvents(trx: Db, logged: Logged & { readonly last_event: number }) {
  const step: Step = {
    ...logged,
    before: await versionsAt(trx, logged.nr - 1),
    after: await versionsAt(trx, logged.nr),
  };
  const counts: OperationCounts[] = [];
  let last = logged.last_event;
  for (const entity of ENTITIES) {
    if (!mirrorsOf(entity).includes(logged.layer)) continue;
    const count = { entitet: entity.name, inserts: 0, updates: 0, deletes: 0 };
    await findDrivers(trx, entity, step);
    for (let from = ''; ;) {
      const page = await numberPage(trx, entity, { ...step, last, from });
      if (page === null) break;
      ({ from, last } = page);
      for (const operation of page.operations) count[`${operation}s`] += 1;
    }
    if (count.inserts + count.updates + count.deletes > 0) counts.push(count);
  }
  await sql`
    update replication_transaction set last_event = ${last}::integer,
      counts = ${JSON.stringify(counts)}::jsonb
    where nr = ${logged.nr}`.execute(trx);
}

/** Drivers whose entities the transaction may have changed. */
async function findDrivers(trx: Db, { driver, parts }: Entity, step: Step): Promise<void> {
  const { before, after, layer, version } = step;
  const changed = (of: Mirrored): string =>
    `change_event e where ${isOf(of)} and e.version = ${version}`;
  const at = new RowsAt(before);
  const found = [driver]
    .filter(({ mirror }) => mirror === layer)
    .map((of) => `select e.key::${of.id} as id from ${changed(of)}`);
  for (const { table, column, equals, by } of parts) {
    if (table.mirror !== layer) continue;
    const ids = `select e.key::${table.id} as id from ${changed(table)}`;
    if (by !== undefined) {
      const values = at.ids(by.table, `l.${by.column} in (${ids})`, equals);
      found.push(at.ids(driver, `l.${column} in (${values})`));
      continue;
    }
    const rows = [before, after].map(
      (versions) => `select w.${equals} from (${ids}) g
        cross join lateral ${new RowsAt(versions).byId(table, 'g.id')} w`,
    );
    const values = equals === 'id' ? ids : rows.join(' union ');
    found.push(at.ids(driver, `l.${column} in (${values})`));
  }
  const drivers = found.join(' union ');
  await sql`create temp table if not exists replication_driver (id text primary key) on commit drop`.execute(
    trx,
  );
  await sql`truncate replication_driver`.execute(trx);
  await sql`
    ${sql.raw(withTables(at.tables))} insert into replication_driver
    select distinct id::text from (${sql.raw(drivers)}) d`.execute(trx);
}

async function numberPage(
  trx: Db,
  entity: Entity,
  { before, after, nr, last, from }: Step & { readonly last: number; readonly from: string },
) {
  const [was, is] = [new EntityAt(entity, before, 'was'), new EntityAt(entity, after, 'now')];
  const keys = `${was.keysOf('c')} union ${is.keysOf('c')}`;
  const rows = (of: EntityAt) => sql.raw(`select key, md5(data) as sum from (${of.byKeys('k')}) r`);
  const [wasRows, isRows] = [rows(was), rows(is)];
  const begins = sql.raw(withTables([...was.tables, ...is.tables], true));
  const page = await oneRow<{
    until: string | null;
    operations: readonly Operation[] | null;
    last: number | null;
  }>(trx)`
    ${begins} page as materialized (
      select id from replication_driver where id > ${from} order by id limit ${LIMITS.page}),
    c as (select id::${sql.raw(entity.driver.id)} as id from page),
    k as materialized (${sql.raw(keys)}),
    was as materialized (${wasRows}),
    now as materialized (${isRows}),
    numbered as (
      insert into replication_event (nr, transaction, entity, operation, key)
      select ${last}::integer + row_number() over (order by key), ${nr}::integer, ${entity.name},
        case when was.key is null then 'insert' when now.key is null then 'delete' else 'update' end, key
      from was full join now using (key) where was.sum is distinct from now.sum
      on conflict (transaction, entity, key) do nothing
      returning nr, operation)
    select (select max(id) from page) as until,
      (select array_agg(operation) from numbered) as operations,
      (select max(nr) from numbered) as last`;
  if (page.until === null) return null;
  return { from: page.until, last: page.last ?? last, operations: page.operations ?? [] };
}

type Operation = 'insert' | 'update' | 'delete';

export async function versionsAt(db: Store['db'], transaction: number): Promise<Versions> {
  const rows = await allRows<{ layer: MirrorId; version: number }>(db)`
    select m.layer, c.version::float8 as version
    from unnest(${[...REPLICATED]}::text[]) m(layer)
    cross join lateral (
      select version from change_transaction c where c.layer = m.layer and c.nr <= ${transaction}
      order by c.nr desc limit 1) c`;
  return new Map(rows.map(({ layer, version }) => [layer, version]));
}
