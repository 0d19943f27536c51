import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { DatedRow, ParsedPage } from '../../src/wfs/page.ts';
import type { Bounds } from '../../src/geo/bounds.ts';
import { mendedInMemory } from '../mirrors/features/mend.ts';
import { DENMARK_UTM32 } from '../../src/geo/box.ts';
import { contentHash, placeOfBox, REPAIR } from '../mirrors/features/stage.ts';
import type { Unread } from '../mirrors/features/unread.ts';
import type { Run } from '../deps.ts';

/**
 * Of one parsed page. Geometry is repaired as in the copy; a row beyond repair or elsewhere is
 * unreadable from its day on.
 */
export async function stageDated(
  store: Pick<Store, 'db' | 'kind'>,
  run: Pick<Run, 'id' | 'layer' | 'signal' | 'unread'>,
  { dated: rows, unreadAhead }: Pick<ParsedPage, 'dated' | 'unreadAhead'>,
): Promise<void> {
  run.unread.push(...unreadAhead);
  for (let from = 0; from < rows.length; from += LIMITS.stageBatchRows) {
    run.signal.throwIfAborted();
    const batch = rows.slice(from, from + LIMITS.stageBatchRows);
    // The embedded store must not be asked for repairs (mend.ts).
    const sound = store.kind === 'embedded' ? await mended(store, run, batch) : batch;
    run.unread.push(...(await stageBatch(store.db, run, sound)));
  }
}

async function mended(
  store: Pick<Store, 'db'>,
  run: Pick<Run, 'unread'>,
  rows: readonly DatedRow[],
): Promise<readonly DatedRow[]> {
  const features = rows.flatMap(({ feature }) => (feature === null ? [] : [feature]));
  const byKey = await mendedInMemory(store, features);
  return rows.flatMap((row) => {
    const found = row.feature === null ? undefined : byKey.get(row.feature.key);
    if (row.feature === null || found === undefined) return [row];
    const { wkb } = found;
    const hash = createHash('sha256').update(row.feature.hash).update(REPAIR).digest();
    if (wkb !== null) return [{ ...row, feature: { ...row.feature, wkb, hash } }];
    run.unread.push(...unreadOf(row, found.row.box));
    return [];
  });
}

function unreadOf(row: DatedRow | undefined, box: Bounds | null): readonly Unread[] {
  const { key, beginsAtMs = null, feature = null } = row ?? {};
  if (key === undefined || beginsAtMs === null || feature === null) return [];
  const reason = 'nothing is left of it, or it lies outside Denmark';
  return [{ key, objectId: feature.objectId, beginsAtMs, reason, place: placeOfBox(box), raw: '' }];
}

async function stageBatch(
  db: Store['db'],
  { id: runId, layer }: Pick<Run, 'id' | 'layer'>,
  rows: readonly DatedRow[],
): Promise<readonly Unread[]> {
  const { minX, maxX, minY, maxY } = DENMARK_UTM32;
  const of = <T>(read: (feature: NonNullable<DatedRow['feature']>) => T) =>
    rows.map(({ feature }) => (feature === null ? null : read(feature)));
  const leftOut = await sql<{ n: number; box: Bounds | null }>`
    with given as (
      select *, ST_Force2D(ST_GeomFromWKB(wkb, 25832)) as raw
      from unnest(${rows.map(({ key }) => key)}::text[],
        ${rows.map(({ beginsAtMs }) => instantText(beginsAtMs))}::timestamptz[],
        ${rows.map(({ endsAtMs }) => (endsAtMs === null ? null : instantText(endsAtMs)))}::timestamptz[],
        ${of(({ objectId }) => objectId)}::text[], ${of(({ standing }) => standing)}::text[],
        ${of(({ adopted }) => adopted)}::boolean[], ${of(({ hash }) => Buffer.from(hash))}::bytea[],
        ${of(({ attributes }) => attributes)}::text[], ${of(({ wkb }) => Buffer.from(wkb))}::bytea[])
        with ordinality
        as t(key, begins_at, ends_at, object_id, standing, adopted, hash, attributes, wkb, n)
    ),
    mended as materialized (
      select *, case
        when raw is null or ST_IsEmpty(raw) then null
        else ST_Multi(sound_geometry(raw, ${layer.geometry === 'area' ? 3 : 2}::integer)) end as geom
      from given
    ),
    judged as materialized (
      select *, wkb is null or coalesce(not ST_IsEmpty(geom)
        and ST_XMin(geom) >= ${minX}::float8 and ST_XMax(geom) <= ${maxX}::float8
        and ST_YMin(geom) >= ${minY}::float8 and ST_YMax(geom) <= ${maxY}::float8, false) as is_sound
      from mended
    ),
    kept as (
      insert into stage_dated_row
        (run_id, key, begins_at, ends_at, object_id, standing, adopted, content_hash, attributes, geom)
      select ${runId}::bigint, key, begins_at, ends_at, object_id, standing, adopted,
        ${contentHash(sql`not geom = ST_Multi(raw)`)}, attributes::jsonb, geom
      from judged where is_sound
    )
    select n::integer as n, case when not ST_IsEmpty(raw) then
      array[ST_XMin(raw), ST_YMin(raw), ST_XMax(raw), ST_YMax(raw)] end as box
    from judged where not is_sound`.execute(db);
  return leftOut.rows.flatMap(({ n, box }) => unreadOf(rows[n - 1], box));
}

/**
 * Rows of one key that begin together are all unreadable from their day on. Call when everything is
 * staged.
 */
export async function dropTwins(
  { db }: Pick<Store, 'db'>,
  { id, unread }: Pick<Run, 'id' | 'unread'>,
): Promise<void> {
  const twins = await sql<{ key: string; objectId: string; begins: string; box: Bounds }>`
    delete from stage_dated_row s using (
      select key, begins_at from stage_dated_row where run_id = ${id}::bigint and geom is not null
      group by key, begins_at having count(distinct content_hash) > 1
    ) t
    where s.run_id = ${id}::bigint and s.geom is not null
      and s.key = t.key and s.begins_at = t.begins_at
    returning s.key, s.object_id as "objectId", to_char(s.begins_at at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as begins,
      array[ST_XMin(s.geom), ST_YMin(s.geom), ST_XMax(s.geom), ST_YMax(s.geom)] as box`.execute(db);
  unread.push(
    ...twins.rows.map(({ key, objectId, begins, box }) => ({
      ...{ key, objectId, beginsAtMs: Date.parse(begins) },
      ...{ reason: 'another row of its id begins with it', place: placeOfBox(box), raw: '' },
    })),
  );
}

/** null: a current row, whose beginning no longer matters. */
export function instantText(ms: number | null): string {
  return ms === null ? '-infinity' : new Date(ms).toISOString();
}
