/** What publishing the staged tables would change in the copy. Counts only, and of a total the rows it would replace. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { AddressTable } from '../../../src/layers/address-tables.ts';
import { stageUndo } from './history.ts';
import type { Loaded } from './load.ts';
import { withMemory } from './stage.ts';
import type { StagedTable, TableDifference } from './table-run.ts';

type Db = Store['db'];

/** Columns of a table that say something about the address: all but the key and the times. */
export function contentOf(table: AddressTable): readonly string[] {
  return table.columns.flatMap(({ name }) => (name === 'id' ? [] : [name]));
}

/** Whether the rows of two aliases say different things in these columns. */
export function differs(columns: readonly string[], a: string, b: string): RawBuilder<boolean> {
  const row = (alias: string) => sql.join(columns.map((name) => sql.ref(`${alias}.${name}`)));
  return sql<boolean>`row(${row(a)}) is distinct from row(${row(b)})`;
}

/** A whole table against the one in service; what it would replace is written down beside it. */
async function compareTotal(db: Db, staged: StagedTable): Promise<TableDifference> {
  const { next, plan, undo } = staged;
  const { table, known } = plan;
  const live = sql.table(table.table);
  const size = (name: typeof live) => sql`(select count(*) from ${name})::float8`;
  if (known === null) {
    // Never mirrored: the table in service is empty.
    const rows = await counted(
      sql`select 0::float8 as before, ${size(sql.table(next))} as after,
        ${size(sql.table(next))} as inserted, 0::float8 as removed, 0::float8 as changed`,
      db,
    );
    return { ...rows, lost: 0 };
  }
  await stageUndo(db, staged);
  const rows = await counted(
    sql`
    select ${size(live)} as before, ${size(sql.table(next))} as after,
      count(*) filter (where u.was is null)::float8 as inserted,
      count(*) filter (where u.was is not null and n.id is null)::float8 as removed,
      count(*) filter (where u.was is not null and n.id is not null
        and ${differs(contentOf(table), 'l', 'n')})::float8 as changed
    from ${sql.table(undo)} u
    left join ${live} l on l.id = u.id left join ${sql.table(next)} n on n.id = u.id`,
    db,
  );
  return { ...rows, lost: await countLost(db, staged, { target: table.table, ...rows }) };
}

/** Changes against the table they will change. `closed` rows that a newer one replaces are no loss. */
async function compareDelta(
  db: Db,
  staged: Pick<StagedTable, 'plan' | 'next' | 'closed' | 'read'>,
  target: string,
): Promise<TableDifference> {
  const { table } = staged.plan;
  const rows = await counted(
    sql`
    select (select count(*) from ${sql.table(target)})::float8 as before, 0::float8 as after,
      count(*) filter (where t.id is null)::float8 as inserted,
      count(*) filter (where t.id is not null and n.registered_from >= t.registered_from
        and ${differs(contentOf(table), 't', 'n')})::float8 as changed,
      (select count(distinct t.id) from ${sql.table(target)} t
        join ${sql.table(staged.closed)} c on ${closes('c', 't')}
        where not exists (
          select from ${sql.table(staged.next)} n
          where n.id = t.id and n.registered_from >= t.registered_from))::float8 as removed
    from ${sql.table(staged.next)} n left join ${sql.table(target)} t on t.id = n.id`,
    db,
  );
  const lost = await countLost(db, staged, { target, ...rows });
  return { ...rows, lost, after: rows.before + rows.inserted - rows.removed };
}

/**
 * Rows of the copy whose new row is there and cannot be read: published, they would be gone or stay as
 * they were. Of an unreadable row without an id any row that goes may be the one.
 */
async function countLost(
  db: Db,
  { next, read }: Pick<StagedTable, 'next' | 'read'>,
  { target, removed }: { readonly target: string; readonly removed: number },
): Promise<number> {
  if (read.unreadable === 0) return 0;
  const { rows } = await sql<{ lost: number }>`
    select count(*)::float8 as lost from ${sql.table(target)} t
    where t.id::text = any(${read.unreadableIds}::text[])
      and not exists (select from ${sql.table(next)} n where n.id = t.id)`.execute(db);
  const unknown = read.unreadable - read.unreadableIds.length;
  return (rows[0]?.lost ?? 0) + Math.min(unknown, removed);
}

/** The closing row is about this very row, or about an earlier registration of it. */
export function closes(closed: string, row: string): RawBuilder<boolean> {
  const of = (alias: string, name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`${of(row, 'id')} = ${of(closed, 'id')}
    and ${of(row, 'valid_from')} = ${of(closed, 'valid_from')}
    and ${of(row, 'registered_from')} <= ${of(closed, 'registered_from')}`;
}

type Counted = Omit<TableDifference, 'lost'>;

async function counted(query: RawBuilder<unknown>, db: Db): Promise<Counted> {
  const { rows } = await (query as RawBuilder<Counted>).execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The store counted nothing at all.');
  return row;
}

/** Addresses in force that refer to rows that are not there. `name` gives the table to look in. */
export async function countDangling(
  db: Db,
  name: (table: string) => string,
): Promise<{ readonly inForce: number; readonly dangling: number }> {
  const { rows } = await sql<{ in_force: number; dangling: number }>`
    select count(*)::float8 as in_force, count(*) filter (where dangling)::float8 as dangling from (
      select r.id is null as dangling from ${sql.table(name('address_access'))} a
        left join ${sql.table(name('address_road'))} r on r.id = a.road_id where a.status in (2, 3)
      union all
      select a.id is null from ${sql.table(name('address_unit'))} u
        left join ${sql.table(name('address_access'))} a on a.id = u.access_id
        where u.status in (2, 3)) f`.execute(db);
  return { inForce: rows[0]?.in_force ?? 0, dangling: rows[0]?.dangling ?? 0 };
}

/** A table that was read, and what it would do to the copy. */
export interface Compared extends Loaded {
  readonly whole: TableDifference | null;
  readonly part: TableDifference | null;
}

/** What publishing a table would change: its total against the copy, its deltas against what they change. */
export async function compareTable(store: Store, loaded: Loaded): Promise<Compared> {
  const { total, delta, plan } = loaded;
  const whole = total === null ? null : await withMemory(store, (db) => compareTotal(db, total));
  const target = total?.next ?? plan.table.table;
  const part = delta === null ? null : await compareDelta(store.db, delta, target);
  return { ...loaded, whole, part };
}
