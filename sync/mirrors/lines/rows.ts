import { sql } from 'kysely';
import type { FeatureRows } from '../features/feature-rows.ts';
import type { RawBuilder } from 'kysely';
import { LIMITS } from '../../../src/kernel/limits.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';

export const LINE_ROWS: FeatureRows = {
  table: 'line_feature',
  isOf: ({ id }) => sql`m.layer = ${id}`,
  asStaged: sql`m.key, m.object_id, m.standing, m.adopted, m.content_hash, m.attributes, m.geom`,
  columns: sql`layer, key, object_id, standing, adopted, content_hash, attributes, area_m2, geom`,
  values: ({ id, geometry }) => sql`${id}, key, object_id, standing, adopted, content_hash,
    attributes, case when ${geometry} = 'area' then ST_Area(geom) end, geom`,
  areaM2: sql`coalesce(sum(area_m2), 0)`,
  canary: (runId, layer) => featureCanary('line_feature', runId, layer),
  isForeseen: false,
  tables: ({ id }) => [
    `line_feature_${id}`,
    `line_zone_${id}`,
    `line_zone_edge_${id}`,
    'feature_history',
  ],
};

/** Reproducible, from 0 to 1. */
function chance(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(('x' || substr(md5(${text}), 1, 8))::bit(32)::bigint::float8 / 4294967296)`;
}

/**
 * Half of the points are on and near features, the others anywhere in the extent: a layer of few
 * rows has fewer of both.
 */
const ON_FEATURES = LIMITS.canaryPoints / 4;
/** Distance of points from a vertex, metres. */
const ASIDE_M = 15;

/**
 * A feature in force is at the point. After: by unchanged rows, found by index, and by the few new
 * or changed ones.
 */
export function featureCanary(
  table: 'line_feature' | 'condition_feature',
  runId: string,
  layer: Pick<Layer, 'id' | 'geometry'>,
): RawBuilder<unknown> {
  const mirror = sql.table(table);
  const isArea = layer.geometry === 'area';
  const tolerance = isArea ? 0 : LIMITS.onLineToleranceM;
  const first = sql`ST_GeometryN(geom, 1)`;
  const line = isArea ? sql`ST_ExteriorRing(${first})` : first;
  const on = isArea ? sql`ST_PointOnSurface(geom)` : sql`ST_PointN(${first}, 1)`;
  const isAt = (geom: RawBuilder<unknown>) =>
    sql`ST_DWithin(${geom}, p.geom, ${tolerance}::float8)`;
  const published = sql`${mirror} m
    where m.layer = ${layer.id} and m.standing = 'in_force' and ${isAt(sql`m.geom`)}`;
  return sql`
    with picked as materialized (
      select geom from ${mirror}
      where layer = ${layer.id} and standing = 'in_force'
      order by md5(key) limit ${ON_FEATURES}
    ),
    extent as (
      select ST_Extent(geom) as box, count(*) as rows from ${mirror} where layer = ${layer.id}
    ),
    points as materialized (
      select ${on} as geom from picked
      union all
      select ST_Translate(ST_PointN(${line}, 1), ${ASIDE_M}::float8, ${ASIDE_M}::float8) from picked
      union all
      select ST_SetSRID(ST_MakePoint(
          ST_XMin(box) + (ST_XMax(box) - ST_XMin(box)) * ${chance(sql`'x' || n`)},
          ST_YMin(box) + (ST_YMax(box) - ST_YMin(box)) * ${chance(sql`'y' || n`)}), 25832)
      from extent cross join generate_series(1, ${LIMITS.canaryPoints}::integer) n
      where rows > 0 and n <= 2 * (select count(*) from picked)
    ),
    fresh as materialized (
      select s.geom from stage_feature s
      where s.run_id = ${runId} and s.standing = 'in_force' and not exists (
        select from ${mirror} m
        where m.layer = ${layer.id} and m.key = s.key and m.content_hash = s.content_hash)
    ),
    answered as (
      select exists (select from ${published}) as before,
        exists (select from ${published} and exists (
          select from stage_feature s
          where s.run_id = ${runId} and s.key = m.key and s.content_hash = m.content_hash))
        or exists (select from fresh s where ${isAt(sql`s.geom`)}) as after
      from points p where p.geom is not null
    )`;
}
