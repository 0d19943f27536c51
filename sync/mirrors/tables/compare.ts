import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { firstValue, oneRow } from '../../../src/db/rows.ts';
import type { Db, Store } from '../../../src/db/connect.ts';
import type { RegisterSchema, RegisterTable } from '../../../src/layers/register-tables.ts';
import { stageUndo } from './history.ts';
import { isMissing, isSame, keyOf } from '../../../src/changes/keys.ts';
import type { Loaded } from './load.ts';
import { withMemory } from './stage.ts';
import type { StagedTable, TableDifference, TableReading } from './table-run.ts';

export function contentOf({ columns, key }: RegisterTable): readonly string[] {
  return columns.flatMap(({ name }) => (key.includes(name) ? [] : [name]));
}

export function differs(columns: readonly string[], a: string, b: string): RawBuilder<boolean> {
  const row = (alias: string) => sql.join(columns.map((name) => sql.ref(`${alias}.${name}`)));
  return sql<boolean>`row(${row(a)}) is distinct from row(${row(b)})`;
}

async function compareTotal(db: Db, staged: StagedTable): Promise<TableDifference> {
  const { next, plan, undo } = staged;
  const { table, known } = plan;
  const live = sql.table(table.table);
  const wasMissing = sql`(u.was is null)`;
  const nowMissing = sql`(${isMissing(table, 'n')})`;
  const size = (name: typeof live) => sql`(select count(*) from ${name})::float8`;
  if (known === null) {
    // Never mirrored: the table in service is empty.
    const rows = await counted(
      sql`select 0::float8 as before, ${size(sql.table(next))} as after,
        ${size(sql.table(next))} as inserted, 0::float8 as removed, 0::float8 as changed`,
      db,
    );
    return { ...rows, lost: 0, emptied: [] };
  }
  await stageUndo(db, staged);
  const rows = await counted(
    sql`
    select ${size(live)} as before, ${size(sql.table(next))} as after,
      count(*) filter (where ${wasMissing})::float8 as inserted,
      count(*) filter (where not ${wasMissing} and ${nowMissing})::float8 as removed,
      count(*) filter (where not ${wasMissing} and not ${nowMissing}
        and ${differs(contentOf(table), 'l', 'n')})::float8 as changed
    from ${sql.table(undo)} u
    left join ${live} l on ${isSame(table, 'l', 'u')}
    left join ${sql.table(next)} n on ${isSame(table, 'n', 'u')}`,
    db,
  );
  const lost = await countLost(db, staged, { target: table.table, ...rows });
  return { ...rows, lost, emptied: await findEmptied(db, staged, table.table) };
}

/** `closed` rows replaced by newer ones are no loss. */
async function compareDelta(
  db: Db,
  staged: Pick<StagedTable, 'plan' | 'next' | 'closed' | 'read'>,
  target: string,
): Promise<TableDifference> {
  const { table } = staged.plan;
  const rows = await counted(
    sql`
    select (select count(*) from ${sql.table(target)})::float8 as before, 0::float8 as after,
      count(*) filter (where ${isMissing(table, 't')})::float8 as inserted,
      count(*) filter (where not (${isMissing(table, 't')}) and n.registered_from >= t.registered_from
        and ${differs(contentOf(table), 't', 'n')})::float8 as changed,
      (select count(distinct (${keyOf(table, 't')})) from ${sql.table(target)} t
        join ${sql.table(staged.closed)} c on ${closes(table, 'c', 't')}
        where not exists (
          select from ${sql.table(staged.next)} n
          where ${isSame(table, 'n', 't')} and n.registered_from >= t.registered_from))::float8
        as removed
    from ${sql.table(staged.next)} n left join ${sql.table(target)} t on ${isSame(table, 't', 'n')}`,
    db,
  );
  const lost = await countLost(db, staged, { target, ...rows });
  const emptied = await findEmptied(db, staged, target);
  return { ...rows, lost, emptied, after: rows.before + rows.inserted - rows.removed };
}

/**
 * The new row is unreadable: publishing would delete or keep the old one wrongly. An unreadable row
 * without an id may be any row that goes.
 */
async function countLost(
  db: Db,
  { next, plan: { table }, read }: Pick<StagedTable, 'next' | 'plan' | 'read'>,
  { target, removed }: { readonly target: string; readonly removed: number },
): Promise<number> {
  if (read.unreadable === 0) return 0;
  const lost = await firstValue(db, 0)`
    select count(*)::float8 as lost from ${sql.table(target)} t
    where concat_ws(' ', ${keyOf(table, 't')}) = any(${read.unreadableIds}::text[])
      and not exists (select from ${sql.table(next)} n where ${isSame(table, 'n', 't')})`;
  const unknown = read.unreadable - read.unreadableIds.length;
  return lost + Math.min(unknown, removed);
}

/** Share of unreadable values from which a column has another type. */
const MAX_UNREADABLE_SHARE = 0.5;

export function mostlyUnreadable({ cells }: Pick<TableReading, 'cells'>): readonly string[] {
  return Object.entries(cells).flatMap(([name, { filled, unreadable }]) =>
    unreadable > MAX_UNREADABLE_SHARE * filled ? [name] : [],
  );
}

async function findEmptied(
  db: Db,
  { next, plan: { table }, read }: Pick<StagedTable, 'next' | 'plan' | 'read'>,
  target: string,
): Promise<readonly string[]> {
  const suspects = mostlyUnreadable(read);
  if (suspects.length === 0) return [];
  const isEmptied = suspects.map(
    (name) =>
      sql`coalesce(bool_or(${sql.ref(`t.${name}`)} is not null and ${sql.ref(`n.${name}`)} is null), false)`,
  );
  const emptied = await firstValue<readonly boolean[]>(db, [])`
    select array[${sql.join(isEmptied)}] as emptied
    from ${sql.table(next)} n join ${sql.table(target)} t on ${isSame(table, 't', 'n')}`;
  return suspects.filter((_, i) => emptied[i]);
}

/** The closing row concerns this row, or an earlier registration of it. */
export function closes(table: RegisterTable, closed: string, row: string): RawBuilder<boolean> {
  const of = (alias: string, name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`${isSame(table, row, closed)}
    and ${of(row, 'valid_from')} = ${of(closed, 'valid_from')}
    and ${of(row, 'registered_from')} <= ${of(closed, 'registered_from')}`;
}

type Counted = Omit<TableDifference, 'lost' | 'emptied'>;

async function counted(query: RawBuilder<unknown>, db: Db): Promise<Counted> {
  const { rows } = await (query as RawBuilder<Counted>).execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The store counted nothing at all.');
  return row;
}

/** Counts among rows in force. `name` gives the table to search. */
export async function countDangling(
  db: Db,
  { of, inForce }: NonNullable<RegisterSchema['references']>,
  name: (table: string) => string,
): Promise<{ readonly inForce: number; readonly dangling: number }> {
  const found = of.map(({ from, column, to, key }) => {
    const [row, other] = [sql.table(name(from)), sql.table(name(to))];
    return sql`
      select o.${sql.id(key)} is null as dangling
      from ${row} r left join ${other} o on o.${sql.id(key)} = r.${sql.id(column)}
      where r.status = any(${inForce}::integer[])`;
  });
  return await oneRow<{ inForce: number; dangling: number }>(db)`
    select count(*)::float8 as "inForce", count(*) filter (where dangling)::float8 as dangling
    from (${sql.join(found, sql` union all `)}) f`;
}

export interface Compared extends Loaded {
  readonly whole: TableDifference | null;
  readonly part: TableDifference | null;
}

/** Rows that are not kept are judged by the reading alone. */
function asRead({ read: { current } }: StagedTable): TableDifference {
  return {
    before: current,
    after: current,
    inserted: 0,
    changed: 0,
    removed: 0,
    lost: 0,
    emptied: [],
  };
}

export async function compareTable(store: Store, loaded: Loaded): Promise<Compared> {
  const { total, delta, plan } = loaded;
  if (plan.isFolded) return { ...loaded, whole: total && asRead(total), part: null };
  const whole = total === null ? null : await withMemory(store, (db) => compareTotal(db, total));
  const target = total?.next ?? plan.table.table;
  const part = delta === null ? null : await compareDelta(store.db, delta, target);
  return { ...loaded, whole, part };
}
