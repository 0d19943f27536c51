import { sql } from 'kysely';
import { oneRow } from '../../../src/db/rows.ts';
import type { FeatureRows, CanaryCounts } from '../features/feature-rows.ts';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import type { AreaLayer, Layer } from '../../../src/layers/catalogue.ts';
import { rememberedCanary } from '../../dated/canary-memo.ts';

export const AREA_ROWS: FeatureRows = {
  table: 'area',
  isOf: ({ id }) => sql`m.theme = ${id}`,
  asStaged: sql`m.key, m.key as object_id, 'in_force' as standing, true as adopted,
    m.content_hash, m.attributes, m.geom`,
  columns: sql`theme, key, code, name, content_hash, attributes, geom`,
  values: ({ id }) => sql`${id}, key, attributes->>'code', attributes->>'name', content_hash,
    attributes, geom`,
  areaM2: sql`coalesce(sum(ST_Area(geom)), 0)`,
  canary: themeCanary,
  isForeseen: true,
  tables: () => ['area', 'area_piece', 'feature_history'],
};

/** Any number but 0, which would give other points each time. */
const SEED = 17;

/** The codes of the areas that cover the point; points lie inside the areas' pieces. */
export function themeCanary(runId: string, layer: Pick<Layer, 'id'>): RawBuilder<unknown> {
  const stays = sql`exists (
    select from stage_feature s
    where s.run_id = ${runId} and s.key = a.key and s.content_hash = a.content_hash)`;
  const published = (which: RawBuilder<unknown>) => sql`
    select a.code from area_piece q join area a on a.theme = q.theme and a.key = q.key
    where q.theme = ${layer.id} and ST_Covers(q.geom, p.geom) and ${which}`;
  return sql`
    with pieces as materialized (
      select geom, count(*) over () as total from (
        select geom from area_piece where theme = ${layer.id}
        order by md5(key || ST_XMin(geom)::text || ST_YMin(geom)::text)
        limit ${LIMITS.canaryPoints}) chosen
    ),
    points as materialized (
      select row_number() over () as no, geom from (
        select (ST_Dump(ST_GeneratePoints(geom,
          ceil(${LIMITS.canaryPoints}::float8 / total)::integer, ${SEED}::integer))).geom
        from pieces) scattered
    ),
    fresh as materialized (
      select s.attributes->>'code' as code, s.geom from stage_feature s
      where s.run_id = ${runId} and not exists (
        select from area a
        where a.theme = ${layer.id} and a.key = s.key and a.content_hash = s.content_hash)
    ),
    -- Area by area and not point by point: a coastline is unpacked once, and kept prepared.
    hits as materialized (
      select s.code, h.no from fresh s cross join lateral (
        select p.no from points p where ST_Covers(s.geom, p.geom) offset 0) h
    ),
    answered as (
      select
        array(select distinct code from (${published(sql`true`)}) b order by 1) as before,
        array(select distinct code from (${published(stays)} union all
          select h.code from hits h where h.no = p.no) c order by 1) as after
      from points p
    )`;
}

/**
 * Canary points that differ, except where the differing areas were among `before` and are among
 * `after`. A point that loses its area without a new one always counts.
 */
export async function askCanaryBeyond(
  db: Store['db'],
  run: { readonly id: string; readonly layer: AreaLayer },
  explained: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<CanaryCounts> {
  const { before, after } = explained;
  const copy = sql`select key, content_hash from area where theme = ${run.layer.id}`;
  const of = { runId: run.id, layer: run.layer.id, copy, explained };
  return await rememberedCanary(db, of, async () => {
    return await oneRow<CanaryCounts>(db)`
      ${themeCanary(run.id, run.layer)}
      select count(*)::integer as "canaryAsked", (count(*) filter (where before is distinct from after
        and not (cardinality(after) > 0
          and array(select unnest(before) except select unnest(after)) <@ ${before}::text[]
          and array(select unnest(after) except select unnest(before)) <@ ${after}::text[]
          )))::integer as "canaryChanged"
      from answered`;
  });
}
