/**
 * Features that share an id are refused until a person releases them; then, and in later runs,
 * their places are unanswered (D143).
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { isAreaId } from '../../../src/layers/keys.ts';
import type { Run } from '../../deps.ts';
import { keepIssues } from '../../issues.ts';
import { placeOfBox } from './stage.ts';
import { readUnread } from './unread.ts';

const REASON = 'another feature has its id';

/** By key; of an area also by its code, which is what lookups ask for. */
function doubled({ id, layer }: Pick<Run, 'id' | 'layer'>): RawBuilder<unknown> {
  const columns = isAreaId(layer.id) ? ['key', 'object_id'] : ['key'];
  const counts = columns.map((name) => sql`count(*) over (partition by ${sql.id(name)}) > 1`);
  return sql`
    select key, object_id, ctid from (
      select key, object_id, ctid, ${sql.join(counts, sql` or `)} as is_doubled
      from stage_feature where run_id = ${id}::bigint) s
    where is_doubled`;
}

const IDS_SHOWN = 10;

export async function doubledIds({ db }: Pick<Store, 'db'>, run: Run): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select distinct key from (${doubled(run)}) d order by key limit ${IDS_SHOWN}`.execute(db);
  return rows.map(({ key }) => key);
}

/** Takes doubled rows out of the stage: all where a person says so, else those released before. */
export async function takeDoubled(store: Store, run: Run, isReleased: boolean): Promise<void> {
  const { counts, layer, unread } = run;
  const known = (await readUnread(store.db, layer.id)).filter(({ reason }) => reason === REASON);
  if (!isReleased && known.length === 0) return;
  const keys = known.map(({ key }) => key);
  const { rows } = await sql<{ key: string; objectId: string; box: Bounds }>`
    delete from stage_feature s using (${doubled(run)}) d
    where s.run_id = ${run.id}::bigint and s.ctid = d.ctid
      and (${isReleased} or s.key = any(${keys}::text[]))
    returning s.key, s.object_id as "objectId",
      array[ST_XMin(s.geom), ST_YMin(s.geom), ST_XMax(s.geom), ST_YMax(s.geom)] as box`.execute(
    store.db,
  );
  counts.mapped -= rows.length;
  counts.unreadable += rows.length;
  unread.push(
    ...rows.map(({ box, ...of }) => ({ ...of, reason: REASON, place: placeOfBox(box), raw: '' })),
  );
  const issues = rows.map(({ key }) => ({ key, kind: 'unreadable' as const, detail: REASON }));
  await keepIssues(store, run, issues);
}
