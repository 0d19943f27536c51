/**
 * Rows of one key and one registration that differ: nothing tells which of them holds, so both are unreadable
 * (D143). Alike ones are one row, and of several registrations the latest holds.
 */
import { sql } from 'kysely';
import { columnsOf } from '../../../src/downloads/read-table.ts';
import type { UnreadableRow } from '../../../src/downloads/table-task.ts';
import type { Store } from '../../../src/db/connect.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { isSame, keyOf } from './keys.ts';
import { withMemory } from './stage.ts';
import type { StagedTable } from './table-run.ts';

const REASON = 'another row of its id was registered with it';

/** Takes them out of a filled table that has no key yet. */
export async function takeTwins(
  store: Store,
  staged: StagedTable,
): Promise<readonly UnreadableRow[]> {
  return await withMemory(store, (db) => take(db, staged));
}

async function take(
  db: Store['db'],
  { next, plan: { table } }: StagedTable,
): Promise<readonly UnreadableRow[]> {
  const shape = columnsOf(table).find(({ name, type }) => type === 'bytea' || name === 'x');
  const geometry = sql.ref(`t.${shape?.name === 'x' ? 'geom' : (shape?.name ?? '')}`);
  const box =
    shape === undefined
      ? sql`null`
      : sql`case when not ST_IsEmpty(${geometry}) then array[ST_XMin(${geometry}),
          ST_YMin(${geometry}), ST_XMax(${geometry}), ST_YMax(${geometry})] end`;
  const { rows } = await sql<{
    key: string;
    cells: Readonly<Record<string, string | number | boolean | object | null>>;
    box: Bounds | null;
  }>`
    with doubled as (
      select ${keyOf(table)} from ${sql.table(next)} group by ${keyOf(table)} having count(*) > 1
    ),
    placed as (
      select ${keyOf(table, 't')}, md5(t::text) as content, rank() over (
        partition by ${keyOf(table, 't')} order by t.registered_from desc, t.valid_from desc) as place
      from ${sql.table(next)} t join doubled d on ${isSame(table, 't', 'd')}
    ),
    twins as (
      select ${keyOf(table)} from placed where place = 1
      group by ${keyOf(table)} having count(distinct content) > 1
    )
    delete from ${sql.table(next)} t using twins d where ${isSame(table, 't', 'd')}
    returning concat_ws(' ', ${keyOf(table, 't')}) as key, to_jsonb(t) as cells, ${box} as box`.execute(
    db,
  );
  return rows.map(({ key, cells, box: at }) => ({
    ...{ key, reason: REASON, box: at },
    cells: Object.fromEntries(
      Object.entries(cells).flatMap(([name, value]) =>
        typeof value === 'object' ? [] : [[name, String(value)]],
      ),
    ),
  }));
}
