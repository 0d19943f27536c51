/** Mirrored areas by code and by point: one statement each, so one generation. */
import { compareTexts } from '../../kernel/compare.ts';
import { sql } from 'kysely';
import type { Bounds } from '../../geo/bounds.ts';
import type { AreaChange, AreasListed } from './list.ts';
import type { Store } from '../../db/connect.ts';
import { firstValue, oneRow } from '../../db/rows.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { THEMES } from '../../layers/keys.ts';
import type { AreaId, District, Theme } from '../../layers/keys.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { DistrictsAt } from '../../core/held/snapshot-set.ts';
import type { CoveringArea, CoveringAreas } from '../../core/held/layer-reads.ts';
import type { AreaAttributes } from '../../layers/feature.ts';

/** `regionCode` null: no region was mirrored at publication. */
export interface StoredArea extends AreaAttributes {
  readonly theme: Theme;
  readonly contentHash: Buffer;
}

export type AreasFound = Awaited<ReturnType<typeof readAreas>>;

/**
 * By four-digit codes; unknown ones are left out. The copy is outdated (D130) as soon as that of
 * the regions is.
 */
export async function readAreas(store: Pick<Store, 'db'>, theme: AreaId, codes: readonly string[]) {
  const { rows } = await sql<
    { generation: number; copy: PublishedCopy | null; refused: boolean; outdatedAtMs: number } & (
      | Omit<StoredArea, 'theme'>
      | { code: null }
    )
  >`
    select s.generation, ${sql.raw(COPY)},
      exists (select from register_refusal r where r.layer = ${theme}) as refused,
      -- The region each area lies in is told too.
      (select (extract(epoch from min(outdated_at)) * 1000)::float8 from layer_state
        where layer in (l.layer, 'region')) as "outdatedAtMs",
      a.code, a.name, a.region_code as "regionCode", a.content_hash as "contentHash"
    from store_state s
    left join layer_state l on l.layer = ${theme}
    left join area a on a.theme = l.layer and a.code = any(${codes}::text[])`.execute(store.db);
  const [first] = rows;
  if (first === undefined) throw new Error('The store has no generation.');
  return {
    generation: first.generation,
    state: first.copy && { ...first.copy, outdatedAtMs: first.outdatedAtMs },
    refused: first.refused,
    areas: rows.flatMap((row) => {
      if (row.code === null) return [];
      const { code, name, regionCode, contentHash } = row;
      return [{ theme: theme as Theme, code, name, regionCode, contentHash }];
    }),
  };
}

export async function readAreaList(store: Pick<Store, 'db'>, theme: AreaId): Promise<AreasListed> {
  const { generation, state } = await readAreas(store, theme, []);
  const { rows } = await sql<{
    key: string;
    code: string;
    name: string;
    regionCode: string | null;
    boundsM: Bounds;
    center: readonly [number, number];
  }>`
    select key, code, name, region_code as "regionCode",
      array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)] as "boundsM",
      (select array[ST_X(p), ST_Y(p)] from ST_PointOnSurface(geom) p) as center
    from area where theme = ${theme} order by code`.execute(store.db);
  const areas = rows.map(({ center: [xUtm32, yUtm32], ...area }) => ({
    ...area,
    center: { xUtm32, yUtm32 },
  }));
  return { generation, copy: state, areas };
}

export async function readAreaChanges(
  { db }: Pick<Store, 'db'>,
  area: AreaId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, AreaChange>> {
  const { rows } = await sql<AreaChange & { readonly key: string }>`
    select key, changed_at as "changedAt", geometry_changed_at as "geometryChangedAt",
      geometry_version as "geometryVersion"
    from area_change where theme = ${area} and key = any (${keys}::text[])`.execute(db);
  return new Map(rows.map(({ key, ...change }) => [key, change]));
}

export async function readDistrictsAt(
  store: Pick<Store, 'db'>,
  district: District,
  { xUtm32, yUtm32 }: PointUtm32,
): Promise<DistrictsAt> {
  // Districts are mirrored like themes, but cannot be requested as one.
  const { generation, state } = await readAreas(store, district, []);
  const { rows: areas } = await sql<{ code: string; name: string }>`
    select code, name from area
    where theme = ${district} and ST_Covers(geom, ST_SetSRID(ST_MakePoint(${xUtm32}, ${yUtm32}), 25832))
    order by code`.execute(store.db);
  return { generation, copy: state, areas };
}

/**
 * 2D WKB, EPSG:25832; null: a newer version was published. Tens of megabytes for a region at
 * 1:10,000.
 */
export async function readAreaGeometry(
  store: Pick<Store, 'db'>,
  area: Pick<StoredArea, 'theme' | 'code' | 'contentHash'>,
): Promise<Buffer | null> {
  return await firstValue<Buffer | null>(store.db, null)`
    select ST_AsBinary(geom, 'NDR') as wkb from area
    where theme = ${area.theme} and code = ${area.code} and content_hash = ${area.contentHash}`;
}

/**
 * Nearer to its own edge a piece is not trusted: cuts are not edges of the area, so the whole area
 * is tested.
 */
const TOLERANCE_M = 0.001;

/** Boundary included (`ST_Covers`, D44). */
export async function readCoveringAreas(
  store: Pick<Store, 'db'>,
  points: readonly PointUtm32[],
): Promise<CoveringAreas> {
  const row = await oneRow<{
    generation: number;
    states: Partial<Record<Theme, PublishedCopy>> | null;
    refused: readonly string[];
    hits: [number, Theme, string, string][] | null;
  }>(store.db)`
    select
      (select generation from store_state) as generation,
      (select jsonb_object_agg(layer, copy) from (
        select l.layer, ${sql.raw(COPY)} from layer_state l
        where l.layer = any(${[...THEMES]}::text[])) c) as states,
      array(select layer from register_refusal) as refused,
      (select jsonb_agg(jsonb_build_array(point_no, theme, code, name)) from covering_areas(
          ${points.map(({ xUtm32 }) => xUtm32)}::float8[],
          ${points.map(({ yUtm32 }) => yUtm32)}::float8[], ${TOLERANCE_M}::float8)) as hits`;
  const byPoint: CoveringArea[][] = points.map(() => []);
  for (const [n, theme, code, name] of row.hits ?? []) byPoint[n - 1]?.push({ theme, code, name });
  for (const areas of byPoint) areas.sort(byThemeThenCode);
  return {
    rung: 'store',
    generation: row.generation,
    states: new Map(Object.entries(row.states ?? {}) as [Theme, PublishedCopy][]),
    refused: new Set(row.refused),
    byPoint,
  };
}

export function byThemeThenCode(a: CoveringArea, b: CoveringArea): number {
  return THEMES.indexOf(a.theme) - THEMES.indexOf(b.theme) || compareTexts(a.code, b.code);
}
