import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db, Store } from '../../../src/db/connect.ts';
import {
  closedColumnsOf,
  columnsOf,
  formerColumnsOf,
  othersColumnsOf,
  storeNamesOf,
} from '../../../src/downloads/read-table.ts';
import type { StoredColumn } from '../../../src/downloads/read-table.ts';
import type { RowColumns } from '../../../src/downloads/table-task.ts';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { StagedTable, TablePlan } from './table-run.ts';
import { noReading } from './counts.ts';
import { keyOf, typeOf } from '../../../src/changes/keys.ts';

/**
 * Enough memory for millions of rows, on a server; the embedded store has one session and keeps its
 * settings.
 */
export async function withMemory<T>(store: Store, work: (db: Db) => Promise<T>): Promise<T> {
  if (store.kind === 'embedded') return await work(store.db);
  return await store.db.transaction().execute(async (trx) => {
    await sql`
      select set_config('work_mem', '256MB', true),
        set_config('maintenance_work_mem', '512MB', true)`.execute(trx);
    return await work(trx);
  });
}

export async function dropStaged(
  db: Db,
  { tables, fold }: RegisterSchema,
  { of }: { readonly of?: string } = {},
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname ~ '_run_[0-9]+(_former|_closed|_others|_undo)?$'`.execute(db);
  const all = fold === undefined ? tables : [...tables, fold.into];
  const names = all.map(({ table }) => table).join('|');
  const mine = new RegExp(
    `^(${names})(_delta)?_run_${of ?? '[0-9]+'}(_former|_closed|_others|_undo)?$`,
  );
  for (const { name } of rows.filter((row) => mine.test(row.name))) {
    await sql`drop table if exists ${sql.table(name)}`.execute(db);
  }
}

export async function createStaged(
  db: Db,
  plan: TablePlan,
  { runId, of }: { readonly runId: string; readonly of: 'total' | 'delta' },
): Promise<StagedTable> {
  const { table } = plan;
  const next = `${table.table}${of === 'delta' ? '_delta' : ''}_run_${runId}`;
  const staged = {
    plan,
    next,
    former: `${next}_former`,
    closed: `${next}_closed`,
    others: `${next}_others`,
    undo: `${next}_undo`,
  };
  if (plan.isFolded) {
    await createFolded(db, next, columnsOf(table));
    if (table.keepsOthers === true) {
      await createFolded(db, staged.others, othersColumnsOf(table));
    }
    return { ...staged, read: noReading() };
  }
  await sql`create table ${sql.table(next)} (like ${sql.table(table.table)} including constraints)`.execute(
    db,
  );
  const key = table.key.map((name) => sql`${sql.id(name)} ${typeOf(table, name)} not null`);
  await sql`create table ${sql.table(staged.closed)}
    (${sql.join(key)}, registered_from timestamptz not null,
      valid_from timestamptz not null)`.execute(db);
  if (table.former !== null) {
    await sql`create table ${sql.table(staged.former)}
      (like ${sql.table(table.table)}, valid_to timestamptz not null)`.execute(db);
  }
  return { ...staged, read: noReading() };
}

/** Unlogged: a crash may empty it, because it does not outlive the run. */
async function createFolded(db: Db, name: string, stored: readonly StoredColumn[]): Promise<void> {
  const columns = stored.map(
    (each) => sql`${sql.id(each.name)} ${sql.raw(each.type === 'bytea' ? 'geometry' : each.type)}`,
  );
  await sql`create unlogged table ${sql.table(name)} (${sql.join(columns)})`.execute(db);
}

export async function fill(
  db: Db,
  staged: StagedTable,
  rows: {
    readonly current: RowColumns;
    readonly former: RowColumns;
    readonly closed: RowColumns;
    readonly others: RowColumns;
  },
): Promise<void> {
  const { table } = staged.plan;
  await insert(db, { into: staged.next, columns: columnsOf(table), given: rows.current });
  if (staged.plan.isFolded) {
    await insert(db, { into: staged.others, columns: othersColumnsOf(table), given: rows.others });
    return;
  }
  if (table.former !== null) {
    await insert(db, { into: staged.former, columns: formerColumnsOf(table), given: rows.former });
  }
  await insert(db, { into: staged.closed, columns: closedColumnsOf(table), given: rows.closed });
}

async function insert(
  db: Db,
  {
    into,
    columns,
    given,
  }: {
    readonly into: string;
    readonly columns: readonly StoredColumn[];
    readonly given: RowColumns;
  },
): Promise<void> {
  if (given.rows === 0) return;
  const arrays = columns.map(({ type }, i) => {
    const { buffer } = given.arrays[i] ?? new Uint8Array(0);
    return sql`${Buffer.from(buffer)}::${sql.raw(type)}[]`;
  });
  const names = columns.map(({ name }) => sql.id(name));
  await sql`
    insert into ${sql.table(into)} (${sql.join(storeNamesOf(columns).map((name) => sql.id(name)))})
    select ${sql.join(valuesOf(columns))}
    from unnest(${sql.join(arrays)}) as given(${sql.join(names)})`.execute(db);
}

function valuesOf(columns: readonly StoredColumn[]): RawBuilder<unknown>[] {
  return columns.flatMap(({ name, type, point }) => {
    const own = sql.id(name);
    if (point === null) return [];
    if (type === 'bytea') return [sql`ST_GeomFromWKB(${own}, 25832)`];
    if (point === undefined) return [sql`${own}`];
    return [sql`ST_SetSRID(ST_MakePoint(${own}, ${sql.id(point.y)}), 25832)`];
  });
}

/**
 * Duplicates are merged to the latest registered, after `onDoubled`. Returns how many were removed.
 */
export async function keyStaged(
  store: Store,
  { next, plan }: StagedTable,
  onDoubled: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const key = (db: Db) =>
    sql`alter table ${sql.table(next)} add primary key (${keyOf(plan.table)})`
      .execute(db)
      .then(() => true);
  const isKeyed = await withMemory(store, key).catch((error: unknown) => {
    if ((error as { code?: string }).code === '23505') return false;
    throw error;
  });
  if (isKeyed) return 0;
  await onDoubled();
  const gone = await sql`
    delete from ${sql.table(next)} t using (
      select ctid, row_number() over (
        partition by ${keyOf(plan.table)} order by registered_from desc, valid_from desc, ctid desc) as place
      from ${sql.table(next)}) d
    where t.ctid = d.ctid and d.place > 1`.execute(store.db);
  await withMemory(store, key);
  return Number(gone.numAffectedRows ?? 0);
}

export async function indexStaged(store: Store, { next, plan }: StagedTable): Promise<void> {
  await withMemory(store, async (db) => {
    for (const { suffix, on } of plan.table.indexes) {
      const name = sql.id(next + suffix);
      await sql`create index ${name} on ${sql.table(next)} ${sql.raw(on)}`.execute(db);
    }
    await sql`analyze ${sql.table(next)}`.execute(db);
  });
}
