/** D143: from readable geometry, from related rows, and from the previous copy. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { boundsAround } from '../../../src/geo/bounds.ts';
import type { UnreadRow } from './unread-row.ts';
import { accessRefs, idIn, isPlaceType, placeNumbers } from './unread-objects.ts';
import type { AccessRefs } from './unread-objects.ts';

export type TableNames = (table: string) => readonly string[];

export async function withBoxes(
  db: Store['db'],
  rows: readonly UnreadRow[],
  tables: ReadonlyMap<string, string>,
): Promise<readonly UnreadRow[]> {
  const ids = placeNumbers(rows);
  if (ids.length === 0) return rows;
  const from = [...tables].flatMap(([table, name]) =>
    isPlaceType(table) && !table.endsWith('_others') ? [name] : [],
  );
  const shapes = ['place', ...from].map(
    (name) => sql`select id, geom from ${sql.table(name)} where id = any(${ids}::bigint[])`,
  );
  const found = await sql<{ id: string; box: Bounds }>`
    select id::text, array[min(ST_XMin(geom)), min(ST_YMin(geom)), max(ST_XMax(geom)), max(ST_YMax(geom))]
      as box
    from (${sql.join(shapes, sql` union all `)}) s where geom is not null group by id`.execute(db);
  const known = new Map(found.rows.map(({ id, box }) => [id, box]));
  return rows.map((row) => {
    const all = [row.box, ...placeNumbers([row]).map((id) => known.get(id) ?? null)].filter(
      (box) => box !== null,
    );
    return { ...row, box: all.length === 0 ? null : boundsAround(all) };
  });
}

/**
 * The row's point, else the previous copy's; for a road those of all its numbers. `beside`:
 * unreadable rows of points.
 */
export async function withPoints(
  db: Store['db'],
  rows: readonly UnreadRow[],
  { namesOf, beside }: { readonly namesOf: TableNames; readonly beside: readonly UnreadRow[] },
): Promise<readonly UnreadRow[]> {
  const found = await pointsOf(db, rows.map(accessRefs), namesOf);
  const told = rows.map((row, n) => ({
    row,
    refs: accessRefs(row),
    box: row.box ?? around(found[n]?.named),
  }));
  const points = [...beside.map((row) => ({ refs: accessRefs(row), box: row.box })), ...told];
  const unread = new Map(
    points.flatMap(({ refs: { point, isPoint }, box }) =>
      isPoint && point !== null ? [[point, box]] : [],
    ),
  );
  return told.map(({ row, refs: { point }, box }, n) => {
    const ofPoint = point === null ? null : (unread.get(point) ?? null);
    return { ...row, box: box ?? ofPoint ?? around(found[n]?.before) };
  });
}

const around = (boxes: readonly Bounds[] = []) => (boxes.length === 0 ? null : boundsAround(boxes));

/** In the order of the rows: every position that the tables have for them. */
export async function pointsOf(db: Store['db'], refs: readonly AccessRefs[], namesOf: TableNames) {
  const found = refs.map(() => ({ named: [] as Bounds[], before: [] as Bounds[] }));
  if (refs.every(({ point, access, road }) => (point ?? access ?? road) === null)) return found;
  const each = (table: string, of: (name: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql.join(
      namesOf(table).map((name) => of(sql.table(name))),
      sql` union all `,
    );
  const { rows } = await sql<{ n: number; named: boolean; x: number; y: number }>`
    with given as materialized (
      select n::integer as n, point, access, road
      from unnest(${refs.map(({ point }) => point)}::uuid[], ${refs.map(({ access }) => access)}::uuid[],
        ${refs.map(({ road }) => road)}::uuid[]) with ordinality as g(point, access, road, n)),
    wanted as materialized (
      select n, true as named, point as id from given where point is not null
      union ${each(
        'address_access',
        (name) => sql`
        select g.n, false, a.point_id from given g join ${name} a on a.id = g.access
        union all
        select g.n, false, a.point_id from given g join ${name} a on a.road_id = g.road and a.status = 3`,
      )})
    select distinct w.n, w.named, ST_X(p.geom) as x, ST_Y(p.geom) as y
    from wanted w join (${each(
      'address_point',
      (name) => sql`
      select q.id, q.geom from wanted v join ${name} q on q.id = v.id where q.geom is not null`,
    )}) p
      on p.id = w.id
    order by 1, 2, 3, 4`.execute(db);
  for (const { n, named, x, y } of rows) {
    const each = found[n - 1];
    (named ? each?.named : each?.before)?.push([x, y, x, y]);
  }
  return found;
}

/** Boxes of parcels' faces: from readable geometry, and the previous copy's face. */
export async function withFaces(
  db: Store['db'],
  rows: readonly UnreadRow[],
): Promise<readonly UnreadRow[]> {
  const ids = rows.flatMap(({ table, cells: { id } }) =>
    table === 'cadastre_face' && id !== undefined ? [id.trim()] : [],
  );
  if (ids.length === 0) return rows;
  const known = new Map(await faceBoxes(db, sql`id = any(${ids}::text[])`));
  return rows.map((row) => {
    const before =
      row.table === 'cadastre_face' ? known.get(row.cells['id']?.trim() ?? '') : undefined;
    return { ...row, box: around([row.box, before ?? null].filter((box) => box !== null)) };
  });
}

export async function boxesOfParcels(
  db: Store['db'],
  rows: readonly Pick<UnreadRow, 'table' | 'cells'>[],
): Promise<readonly Bounds[]> {
  const ids = rows.flatMap((row) => (row.table === 'cadastre_parcel' ? idIn(row, 'id') : []));
  if (ids.length === 0) return [];
  return (await faceBoxes(db, sql`parcel_id = any(${ids}::bigint[])`)).map(([, box]) => box);
}

async function faceBoxes(
  db: Store['db'],
  isWanted: RawBuilder<unknown>,
): Promise<readonly (readonly [id: string, box: Bounds])[]> {
  const { rows } = await sql<{ id: string; box: Bounds }>`
    select id, array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)] as box
    from cadastre_face where ${isWanted}`.execute(db);
  return rows.map(({ id, box }) => [id, box]);
}
