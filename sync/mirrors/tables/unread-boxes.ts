/**
 * Where the places lie whose rows a run could not read (D143): by what of a geometry can be read, and by where the
 * copy before has them; a place whose name alone cannot be read, by the row of its type.
 */
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import { remainsOfWkt } from '../../../src/downloads/remains.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { boundsAround } from '../../../src/geo/unanswered.ts';
import { placeOf } from '../../../src/wfs/remains.ts';
import type { Remains } from '../../../src/wfs/remains.ts';
import type { UnreadRow } from './unread-row.ts';
import { isPlaceType, placeNumbers } from './unread-objects.ts';

const CRS = 'EPSG:25832';
const IS_POINT = /^\s*(SRID\s*=\s*\d+\s*;)?\s*POINT\s*Z?\s*\(/i;

/** Of a geometry as it came; null: nothing of it tells where it is. */
export function boxOfText(text: string): Bounds | null {
  const remains = remainsOfWkt(text);
  const place = placeOf(remains, CRS);
  if (place !== null) return place.box;
  // A point that can be read, in a row that cannot.
  return IS_POINT.test(text) ? pointIn(remains.shape) : null;
}

function pointIn([written, ...others]: Remains['shape']): Bounds | null {
  if (written === undefined || others.length > 0 || (written.crs ?? CRS) !== CRS) return null;
  const [x, y, ...more] = written.flat;
  return x === undefined || y === undefined || more.length > 0 ? null : [x, y, x, y];
}

/** The rows with their boxes. `tables`: the names under which the types of places were read. */
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
