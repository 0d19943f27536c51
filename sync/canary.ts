/**
 * Answers before they are given: the same points asked of the published copy and of the stage. What
 * counts and totals cannot see, areas that changed places, shows here. Reads only.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { toUtm32 } from '../src/geo/project.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { AreaLayer, Layer, LineLayer } from '../src/layers/catalogue.ts';
import type { RunCounts } from './deps.ts';
import { mirrorOf } from './diff.ts';

interface StagedRun {
  readonly id: string;
  readonly layer: Layer;
}

interface CountedRun extends StagedRun {
  readonly counts: Pick<RunCounts, 'unreadable' | 'lostInRepair'>;
}

export interface CanaryCounts {
  readonly canaryAsked: number;
  readonly canaryChanged: number;
}

/**
 * How many canary points the stage would answer differently. The points follow from the published
 * rows alone: on features, beside them, anywhere between. None before the first version.
 */
export async function askCanary(db: Store['db'], { id, layer }: StagedRun): Promise<CanaryCounts> {
  const question = layer.register === 'dagi' ? themeCanary(id, layer) : lineCanary(id, layer);
  const { rows } = await sql<{ asked: number; changed: number }>`
    ${question}
    select count(*)::integer as asked,
      (count(*) filter (where before is distinct from after))::integer as changed
    from answered`.execute(db);
  return { canaryAsked: rows[0]?.asked ?? 0, canaryChanged: rows[0]?.changed ?? 0 };
}

/**
 * The same of a theme, where points do not count whose areas, as far as they differ, were among
 * `before` and are among `after`. A point that loses its area and gets no other always counts.
 */
export async function askCanaryBeyond(
  db: Store['db'],
  { id, layer }: { readonly id: string; readonly layer: AreaLayer },
  explained: { readonly before: readonly string[]; readonly after: readonly string[] },
): Promise<CanaryCounts> {
  const { rows } = await sql<{ asked: number; changed: number }>`
    ${themeCanary(id, layer)}
    select count(*)::integer as asked, (count(*) filter (where before is distinct from after
      and not (cardinality(after) > 0
        and array(select unnest(before) except select unnest(after))
          <@ ${explained.before}::text[]
        and array(select unnest(after) except select unnest(before))
          <@ ${explained.after}::text[])))::integer as changed
    from answered`.execute(db);
  return { canaryAsked: rows[0]?.asked ?? 0, canaryChanged: rows[0]?.changed ?? 0 };
}

/** A reproducible number from 0 to 1 for a text. */
function chance(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(('x' || substr(md5(${text}), 1, 8))::bit(32)::bigint::float8 / 4294967296)`;
}

/** Half of the points on and beside features, the others anywhere in the layer's extent. */
const ON_FEATURES = LIMITS.canaryPoints / 4;
/** Beside: this far from a vertex, metres. */
const ASIDE_M = 15;

/**
 * Whether any feature in force is at the point. After: by rows that stay as they are, found through
 * the index, and by rows that are new or changed, which are few or the run is refused anyway.
 */
function lineCanary(runId: string, layer: LineLayer): RawBuilder<unknown> {
  const isArea = layer.geometry === 'area';
  const tolerance = isArea ? 0 : LIMITS.onLineToleranceM;
  const first = sql`ST_GeometryN(geom, 1)`;
  const line = isArea ? sql`ST_ExteriorRing(${first})` : first;
  const on = isArea ? sql`ST_PointOnSurface(geom)` : sql`ST_PointN(${first}, 1)`;
  const isAt = (geom: RawBuilder<unknown>) =>
    sql`ST_DWithin(${geom}, p.geom, ${tolerance}::float8)`;
  const published = sql`line_feature m
    where m.layer = ${layer.id} and m.standing = 'in_force' and ${isAt(sql`m.geom`)}`;
  return sql`
    with picked as materialized (
      select geom from line_feature
      where layer = ${layer.id} and standing = 'in_force'
      order by md5(key) limit ${ON_FEATURES}
    ),
    extent as (
      select ST_Extent(geom) as box, count(*) as rows from line_feature where layer = ${layer.id}
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
      where rows > 0 and n <= ${LIMITS.canaryPoints}::integer - 2 * (select count(*) from picked)
    ),
    fresh as materialized (
      select s.geom from stage_feature s
      where s.run_id = ${runId} and s.standing = 'in_force' and not exists (
        select from line_feature m
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

/** Any number but 0, which would give other points each time. */
const SEED = 17;

/** The codes of the areas that cover the point; points lie inside the pieces areas are cut to. */
function themeCanary(runId: string, layer: AreaLayer): RawBuilder<unknown> {
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

export interface PlaceCounts {
  readonly placesAsked: number;
  readonly placesWrong: number;
}

/** How many of the layer's known places lie in no staged area of their code. */
export async function askPlaces(db: Store['db'], { id, layer }: StagedRun): Promise<PlaceCounts> {
  const { knownPlaces } = layer.guards;
  if (knownPlaces.length === 0) return { placesAsked: 0, placesWrong: 0 };
  const points = knownPlaces.map(toUtm32);
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::integer as wrong
    from unnest(${knownPlaces.map(({ code }) => code)}::text[],
      ${points.map(({ xUtm32 }) => xUtm32)}::float8[],
      ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) as k(code, x, y)
    where not exists (
      select from stage_feature s
      where s.run_id = ${id} and s.attributes->>'code' = k.code
        and ST_Covers(s.geom, ST_SetSRID(ST_MakePoint(k.x, k.y), 25832)))`.execute(db);
  return { placesAsked: knownPlaces.length, placesWrong: rows[0]?.wrong ?? knownPlaces.length };
}

/**
 * Features the copy holds that came unreadable or empty in this run. One that came without its key
 * may be any of those that seem to have disappeared, and is taken for one; so is one of which no
 * more than the count was kept.
 */
export async function countLost(
  db: Store['db'],
  { id, layer, counts }: CountedRun,
): Promise<number> {
  const missing = counts.unreadable + counts.lostInRepair;
  const { rows } = await sql<{ lost: number }>`
    with issue as (
      select feature_key as key from sync_issue
      where run_id = ${id} and kind in ('unreadable', 'empty')
    ),
    mirrored as (${mirrorOf(layer)}),
    gone as (
      select m.key from mirrored m
      where not exists (select from stage_feature s where s.run_id = ${id} and s.key = m.key)
    )
    select (
      (select count(*) from mirrored m where m.key in (select i.key from issue i)) +
      least(
        ${missing}::integer - (select count(*) from issue i where i.key is not null),
        (select count(*) from gone g where g.key not in (
          select i.key from issue i where i.key is not null)))
      )::integer as lost`.execute(db);
  return rows[0]?.lost ?? 0;
}
