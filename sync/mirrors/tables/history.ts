/**
 * The way back of the addresses, as history.ts is of a layer: beside each publication the rows that it
 * replaced and the ids that were new. It costs what the publication changed: a day's deltas some
 * megabytes, a weekly total what it corrects, and a total that changes every row the register once more.
 */
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import { ADDRESSES } from '../../../src/layers/keys.ts';
import { ADDRESS_TABLES, addressTable } from '../../../src/layers/address-tables.ts';
import type { AddressEntity, AddressTable } from '../../../src/layers/address-tables.ts';
import { openStep } from '../../history.ts';
import type { Step } from '../../history.ts';
import type { StagedTable } from './table-run.ts';

type Db = Store['db'];

/**
 * Opens the step of the version about to be published, with what the tables were read from until now.
 * null for a first version. Part of the publishing transaction.
 */
export async function openAddressStep(trx: Db): Promise<number | null> {
  const version = await openStep(trx, ADDRESSES);
  await sql`
    update layer_history
    set sources = (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from address_source s)
    where layer = ${ADDRESSES} and version = ${version}::bigint`.execute(trx);
  return version;
}

/** What a total would replace, row by row, prepared beside it: the tables are compared once. */
export async function stageUndo(db: Db, { plan, next, undo }: StagedTable): Promise<void> {
  const table = sql.table(plan.table.table);
  await sql`
    create table ${sql.table(undo)} as
    select coalesce(l.id, n.id) as id, case when l.id is not null then l::text end as was
    from ${table} l full join ${sql.table(next)} n on n.id = l.id
    where l.id is null or n.id is null
      or row(${columnsOf(plan.table, 'l')}) is distinct from row(${columnsOf(plan.table, 'n')})`.execute(
    db,
  );
  await sql`analyze ${sql.table(undo)}`.execute(db);
}

function columnsOf({ columns }: AddressTable, alias: string) {
  const names = [...columns.map(({ name }) => name), 'registered_from', 'valid_from'];
  return sql.join(names.map((name) => sql.ref(`${alias}.${name}`)));
}

/** Keeps what a total replaces. */
export async function keepTotal(trx: Db, step: number, { plan, undo }: StagedTable): Promise<void> {
  await sql`
    insert into address_history (version, entity, id, was)
    select ${step}::bigint, ${plan.entity}, id::text, was from ${sql.table(undo)}`.execute(trx);
}

/** Keeps the rows that deltas may change, as they are; what the total before them replaced is kept. */
export async function keepDelta(
  trx: Db,
  step: number,
  { plan, next, closed }: StagedTable,
): Promise<void> {
  await sql`
    insert into address_history (version, entity, id, was)
    select ${step}::bigint, ${plan.entity}, c.id::text, t::text
    from (select id from ${sql.table(next)} union select id from ${sql.table(closed)}) c
    left join ${sql.table(plan.table.table)} t on t.id = c.id
    on conflict do nothing`.execute(trx);
}

/** What a step would do to the copy. */
export interface StepCounts {
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Makes the tables what they were before the publication that the step undoes. Part of the
 * transaction that publishes this as a version of its own.
 */
export async function takeStep(trx: Db, { version }: Step): Promise<StepCounts> {
  const counts = { inserted: 0, changed: 0, removed: 0 };
  const { rows: sources } = await sql<{ entity: string }>`
    select s.entity from layer_history h, jsonb_array_elements(h.sources) e,
      jsonb_populate_record(null::address_source, e) s
    where h.layer = ${ADDRESSES} and h.version = ${version}::bigint`.execute(trx);
  const known = new Set(sources.map(({ entity }) => entity));
  for (const { entity } of ADDRESS_TABLES) {
    // A table that was first mirrored by what is undone had no rows, and none were written down.
    const changed = known.has(entity)
      ? await putBack(trx, { entity, version })
      : await empty(trx, entity);
    counts.inserted += changed.inserted;
    counts.changed += changed.changed;
    counts.removed += changed.removed;
  }
  await sql`
    delete from address_former f using (
      select (was::address_former).* from address_history
      where version = ${version}::bigint and entity = 'former') n
    where f.kind = n.kind and f.id = n.id and f.valid_from = n.valid_from`.execute(trx);
  await sql`delete from address_source`.execute(trx);
  await sql`
    insert into address_source
    select s.* from layer_history h, jsonb_populate_recordset(null::address_source, h.sources) s
    where h.layer = ${ADDRESSES} and h.version = ${version}::bigint`.execute(trx);
  return counts;
}

async function putBack(
  trx: Db,
  { entity, version }: { readonly entity: AddressEntity; readonly version: number },
): Promise<StepCounts> {
  const { table, columns } = addressTable(entity);
  const live = sql.table(table);
  const idType = sql.raw(columns[0]?.kind === 'bigint' ? 'bigint' : 'uuid');
  const kept = sql`address_history where version = ${version}::bigint and entity = ${entity}`;
  const { rows } = await sql<{ was: boolean; count: number }>`
    with gone as (
      delete from ${live} t using (select id, was from ${kept}) h
      where t.id = h.id::${idType} returning h.was is not null as was)
    select was, count(*)::integer as count from gone group by was`.execute(trx);
  const put = await sql`
    insert into ${live} select (was::${live}).* from ${kept} and was is not null`.execute(trx);
  const deleted = (was: boolean): number => rows.find((row) => row.was === was)?.count ?? 0;
  const changed = deleted(true);
  return {
    changed,
    inserted: Number(put.numAffectedRows ?? 0) - changed,
    removed: deleted(false),
  };
}

async function empty(trx: Db, entity: AddressEntity): Promise<StepCounts> {
  const gone = await sql`delete from ${sql.table(addressTable(entity).table)}`.execute(trx);
  return { inserted: 0, changed: 0, removed: Number(gone.numAffectedRows ?? 0) };
}
