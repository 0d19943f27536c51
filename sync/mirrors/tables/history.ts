/** Replaced rows and new ids of each publication: it costs what the publication changed. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { firstValue } from '../../../src/db/rows.ts';
import type { Db } from '../../../src/db/connect.ts';
import type { TableRegister } from '../../../src/layers/register.ts';
import { formerTable, keptTables } from '../../../src/layers/register-tables.ts';
import type { RegisterSchema, RegisterTable } from '../../../src/layers/register-tables.ts';
import { openStep } from '../../history.ts';
import type { Step } from '../../history.ts';
import { isKeyOf, isMissing, isSame, keyOf, keyText } from '../../../src/changes/keys.ts';
import type { StagedTable } from './table-run.ts';
import type { Difference } from '../features/diff.ts';

export const FORMER = 'former';

interface Keeping {
  readonly step: number | null;
  readonly schema: RegisterSchema;
}

/**
 * With the tables' sources until now. null for a first version. Part of the publishing transaction.
 */
export async function openTableStep(
  trx: Db,
  { id, schema: { beside } }: TableRegister,
): Promise<number | null> {
  const version = await openStep(trx, id);
  await sql`
    update layer_history
    set sources = (
      select coalesce(jsonb_agg(to_jsonb(s)), '[]') from ${sql.table(beside.sources)} s)
    where layer = ${id} and version = ${version}::bigint`.execute(trx);
  return version;
}

/** What a total would replace, row by row, prepared in advance: the tables are compared once. */
export async function stageUndo(db: Db, { plan, next, undo }: StagedTable): Promise<void> {
  const table = sql.table(plan.table.table);
  const key = plan.table.key.map(
    (name) => sql`coalesce(${sql.ref(`l.${name}`)}, ${sql.ref(`n.${name}`)}) as ${sql.id(name)}`,
  );
  const [isNew, isGone] = [isMissing(plan.table, 'l'), isMissing(plan.table, 'n')];
  await sql`
    create table ${sql.table(undo)} as
    select ${sql.join(key)}, case when not (${isNew}) then l::text end as was
    from ${table} l full join ${sql.table(next)} n on ${isSame(plan.table, 'n', 'l')}
    where ${isNew} or ${isGone}
      or row(${columnsOf(plan.table, 'l')}) is distinct from row(${columnsOf(plan.table, 'n')})`.execute(
    db,
  );
  await sql`analyze ${sql.table(undo)}`.execute(db);
}

function columnsOf({ columns }: RegisterTable, alias: string) {
  const names = [...columns.map(({ name }) => name), 'registered_from', 'valid_from'];
  return sql.join(names.map((name) => sql.ref(`${alias}.${name}`)));
}

export async function keepTotal(
  trx: Db,
  { step, schema }: Keeping,
  { plan, undo }: StagedTable,
): Promise<void> {
  await sql`
    insert into ${sql.table(schema.beside.history)} (version, entity, id, was)
    select ${step}::bigint, ${plan.entity}, ${keyText(plan.table, 'u')}, was
    from ${sql.table(undo)} u`.execute(trx);
}

/** The rows that deltas may change; what a preceding total replaced stays. */
export async function keepDelta(
  trx: Db,
  { step, schema }: Keeping,
  { plan, next, closed }: StagedTable,
): Promise<void> {
  const key = keyOf(plan.table);
  await sql`
    insert into ${sql.table(schema.beside.history)} (version, entity, id, was)
    select ${step}::bigint, ${plan.entity}, ${keyText(plan.table, 'c')}, t::text
    from (select ${key} from ${sql.table(next)} union select ${key} from ${sql.table(closed)}) c
    left join ${sql.table(plan.table.table)} t on ${isSame(plan.table, 't', 'c')}
    on conflict do nothing`.execute(trx);
}

/** For a table that a later version mirrors first: all rows are new. */
export async function keepFirst(
  trx: Db,
  { step, schema }: Keeping,
  table: RegisterTable,
): Promise<void> {
  await sql`
    insert into ${sql.table(schema.beside.history)} (version, entity, id)
    select ${step}::bigint, ${table.entity}, ${keyText(table, 't')}
    from ${sql.table(table.table)} t on conflict do nothing`.execute(trx);
}

/** A delta names rows that it leaves as they were: they are no change. */
export async function dropUnchanged(
  trx: Db,
  { step, schema }: Keeping,
  table: RegisterTable,
): Promise<void> {
  const live = sql.table(table.table);
  await sql`
    delete from ${sql.table(schema.beside.history)} h
    where h.version = ${step}::bigint and h.entity = ${table.entity} and h.was is not distinct from (
      select t::text from ${live} t where ${isKeyOf(table, 't', sql`h.id`)})`.execute(trx);
}

/**
 * Step `undo` keeps what the tables were. Part of the transaction that publishes this as a new
 * version.
 */
export async function takeStep(
  trx: Db,
  { id, schema }: TableRegister,
  { step: { version }, undo }: { readonly step: Step; readonly undo: number | null },
): Promise<Difference> {
  const { sources, history, former } = schema.beside;
  const counts = { inserted: 0, changed: 0, removed: 0 };
  const read = sql`
    select s.* from layer_history h,
      jsonb_populate_recordset(null::${sql.table(sources)}, h.sources) s
    where h.layer = ${id} and h.version = ${version}::bigint`;
  const { rows } = await (read as RawBuilder<{ entity: string }>).execute(trx);
  const known = new Set(rows.map(({ entity }) => entity));
  for (const table of keptTables(schema)) {
    // A table first mirrored by the undone publication had no rows, and none were stored.
    const step = { history, version, undo };
    const isKept = schema.fold === undefined ? known.has(table.entity) : known.size > 0;
    const changed = isKept ? await putBack(trx, table, step) : await empty(trx, table, step);
    const past = formerTable(table);
    if (past !== null) await (isKept ? putBack(trx, past, step) : empty(trx, past, step));
    counts.inserted += changed.inserted;
    counts.changed += changed.changed;
    counts.removed += changed.removed;
  }
  if (former !== null) {
    await sql`
      delete from ${sql.table(former)} f using (
        select (was::${sql.table(former)}).* from ${sql.table(history)}
        where version = ${version}::bigint and entity = ${FORMER}) n
      where f.kind = n.kind and f.id = n.id and f.valid_from = n.valid_from`.execute(trx);
  }
  await sql`delete from ${sql.table(sources)}`.execute(trx);
  await sql`insert into ${sql.table(sources)} ${read}`.execute(trx);
  return counts;
}

interface Undoing {
  readonly history: string;
  readonly version: number;
  readonly undo: number | null;
}

async function putBack(
  trx: Db,
  of: RegisterTable,
  { history, version, undo }: Undoing,
): Promise<Difference> {
  const live = sql.table(of.table);
  const kept = sql`${sql.table(history)}
    where version = ${version}::bigint and entity = ${of.entity}`;
  await sql`
    insert into ${sql.table(history)} (version, entity, id, was)
    select ${undo}::bigint, ${of.entity}, k.id, t::text
    from (select id from ${kept}) k left join ${live} t on ${isKeyOf(of, 't', sql`k.id`)}`.execute(
    trx,
  );
  const { rows } = await sql<{ was: boolean; count: number }>`
    with gone as (
      delete from ${live} t using (select id, was from ${kept}) h
      where ${isKeyOf(of, 't', sql`h.id`)} returning h.was is not null as was)
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

async function empty(trx: Db, of: RegisterTable, { history, undo }: Undoing): Promise<Difference> {
  const removed = await firstValue(trx, 0)`
    with gone as (delete from ${sql.table(of.table)} t returning ${keyText(of, 't')} as id, t::text as was),
    kept as (
      insert into ${sql.table(history)} (version, entity, id, was)
      select ${undo}::bigint, ${of.entity}, id, was from gone)
    select count(*)::integer as count from gone`;
  return { inserted: 0, changed: 0, removed };
}
