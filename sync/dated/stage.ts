/**
 * What a file announces with its date, on the way in: rows to come and ends of rows in effect, staged
 * beside the copy and never in it.
 */
import { sql } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { DatedRow } from '../../src/wfs/page.ts';
import { mendedInMemory } from '../mirrors/features/mend.ts';
import { DENMARK_UTM32 } from '../mirrors/features/stage.ts';
import type { Run } from '../deps.ts';

/**
 * Stages what one parsed page announces. Geometry is mended as in the copy; a row whose geometry
 * cannot be, or lies elsewhere, is left out: its day comes all the same, and the file is read again.
 */
export async function stageDated(
  store: Pick<Store, 'db' | 'kind'>,
  run: Pick<Run, 'id' | 'signal'>,
  rows: readonly DatedRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += LIMITS.stageBatchRows) {
    run.signal.throwIfAborted();
    const batch = rows.slice(from, from + LIMITS.stageBatchRows);
    // The embedded store may not be asked for repairs (mend.ts).
    const sound = store.kind === 'embedded' ? await mended(store, batch) : batch;
    await stageBatch(store.db, run.id, sound);
  }
}

async function mended(
  store: Pick<Store, 'db'>,
  rows: readonly DatedRow[],
): Promise<readonly DatedRow[]> {
  const features = rows.flatMap(({ feature }) => (feature === null ? [] : [feature]));
  const byKey = await mendedInMemory(store, features);
  return rows.flatMap((row) => {
    const wkb = row.feature === null ? undefined : byKey.get(row.feature.key)?.wkb;
    if (row.feature === null || wkb === undefined) return [row];
    return wkb === null ? [] : [{ ...row, feature: { ...row.feature, wkb } }];
  });
}

async function stageBatch(
  db: Store['db'],
  runId: string,
  rows: readonly DatedRow[],
): Promise<void> {
  const { minX, maxX, minY, maxY } = DENMARK_UTM32;
  const of = <T>(read: (feature: NonNullable<DatedRow['feature']>) => T) =>
    rows.map(({ feature }) => (feature === null ? null : read(feature)));
  await sql`
    with given as (
      select *, ST_Force2D(ST_GeomFromWKB(wkb, 25832)) as raw
      from unnest(${rows.map(({ key }) => key)}::text[],
        ${rows.map(({ beginsAtMs }) => instantText(beginsAtMs))}::timestamptz[],
        ${rows.map(({ endsAtMs }) => (endsAtMs === null ? null : instantText(endsAtMs)))}::timestamptz[],
        ${of(({ objectId }) => objectId)}::text[], ${of(({ standing }) => standing)}::text[],
        ${of(({ adopted }) => adopted)}::boolean[], ${of(({ hash }) => Buffer.from(hash))}::bytea[],
        ${of(({ attributes }) => attributes)}::text[], ${of(({ wkb }) => Buffer.from(wkb))}::bytea[])
        as t(key, begins_at, ends_at, object_id, standing, adopted, hash, attributes, wkb)
    ),
    mended as materialized (
      select *, case
        when raw is null or ST_IsEmpty(raw) then null
        else ST_Multi(sound_geometry(raw, 3)) end as geom
      from given
    )
    insert into stage_dated_row
      (run_id, key, begins_at, ends_at, object_id, standing, adopted, content_hash, attributes, geom)
    select ${runId}::bigint, key, begins_at, ends_at, object_id, standing, adopted, hash,
      attributes::jsonb, geom
    from mended
    where wkb is null or coalesce(not ST_IsEmpty(geom)
      and ST_XMin(geom) >= ${minX}::float8 and ST_XMax(geom) <= ${maxX}::float8
      and ST_YMin(geom) >= ${minY}::float8 and ST_YMax(geom) <= ${maxY}::float8, false)`.execute(
    db,
  );
}

/** null: a row in effect, whose beginning is of no interest any more. */
export function instantText(ms: number | null): string {
  return ms === null ? '-infinity' : new Date(ms).toISOString();
}
