/**
 * Compares the replaced rows that publications keep (sync/history.ts), in one statement, so a
 * concurrent publication does not matter.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../db/connect.ts';
import { readOnly } from '../db/read-only.ts';
import { OPS_LIMITS } from './limits.ts';
import { isConditionId } from '../layers/conditions/index.ts';
import { isLineKey } from '../layers/keys.ts';
import type { LayerId } from '../layers/keys.ts';
import { readKnownVersions } from './layer-history.ts';
import type { KnownVersion } from './layer-history.ts';

/** moved: another shape. changed: other attributes. */
export const DIFFERENCES = ['added', 'removed', 'moved', 'changed'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** GeoJSON, EPSG:25832 metres. */
export interface Shape {
  readonly type: string;
  readonly coordinates: unknown;
}

export interface ChangedFeature {
  readonly key: string;
  readonly objectId: string;
  readonly what: Difference;
  /** null: none, or equal. */
  readonly before: Shape | null;
  readonly after: Shape | null;
}

export interface VersionDifference {
  readonly from: KnownVersion;
  readonly to: KnownVersion;
  readonly counts: Readonly<Record<Difference, number>>;
  readonly features: readonly ChangedFeature[];
}

/** unknown: not kept. nothing: only one version is kept. */
export type DifferenceAnswer =
  | { readonly state: 'compared'; readonly difference: VersionDifference }
  | { readonly state: 'unknown'; readonly version: number; readonly known: readonly number[] }
  | { readonly state: 'nothing' };

/** null: the current version, and the one before it. */
export interface VersionPair {
  readonly from: number | null;
  readonly to: number | null;
}

export async function readDifference(
  store: Pick<Store, 'db'>,
  layer: LayerId,
  pair: VersionPair,
): Promise<DifferenceAnswer> {
  return await readOnly(store, async (trx) => {
    const known = await readKnownVersions({ db: trx }, layer);
    const chosen = choose(known, pair);
    if ('state' in chosen) return chosen;
    const difference = { ...chosen, ...(await compare({ db: trx }, layer, chosen)) };
    return { state: 'compared', difference };
  });
}

interface Pair {
  readonly from: KnownVersion;
  readonly to: KnownVersion;
}

function choose(
  known: readonly KnownVersion[],
  pair: VersionPair,
): Pair | Exclude<DifferenceAnswer, { readonly state: 'compared' }> {
  const numbers = known.map(({ version }) => version);
  for (const version of [pair.from, pair.to]) {
    if (version !== null && !numbers.includes(version)) {
      return { state: 'unknown', version, known: numbers };
    }
  }
  const to = pair.to === null ? known[0] : known.find(({ version }) => version === pair.to);
  const from =
    pair.from === null
      ? known.find(({ version }) => version < (to?.version ?? 0))
      : known.find(({ version }) => version === pair.from);
  return from === undefined || to === undefined ? { state: 'nothing' } : { from, to };
}

interface Row {
  readonly what: Difference;
  readonly count: number;
  readonly key: string | null;
  readonly object_id: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

async function compare(
  { db }: Pick<Store, 'db'>,
  layer: LayerId,
  { from, to }: Pair,
): Promise<Pick<VersionDifference, 'counts' | 'features'>> {
  const [earlier, later] = from.version <= to.version ? [from, to] : [to, from];
  const { rows } = await statement(layer, earlier.version, later.version).execute(db);
  const turned = earlier !== from;
  const counts: Record<Difference, number> = { added: 0, removed: 0, moved: 0, changed: 0 };
  for (const { what, count } of rows) counts[turned ? TURNED[what] : what] = count;
  const features = rows.flatMap(({ what, key, object_id: objectId, before, after }) => {
    if (key === null || objectId === null) return [];
    const [was, is] = [shapeOf(before), shapeOf(after)];
    // A shape equal in both is read once, as the later one's.
    const [first, last] = turned && what !== 'changed' ? [is, was] : [was, is];
    const feature = { key, objectId, what: turned ? TURNED[what] : what };
    return [{ ...feature, before: first, after: last }];
  });
  return { counts, features };
}

const TURNED = {
  added: 'removed',
  removed: 'added',
  moved: 'moved',
  changed: 'changed',
} as const satisfies Record<Difference, Difference>;

function shapeOf(text: string | null): Shape | null {
  return text === null ? null : (JSON.parse(text) as Shape);
}

/** As `epsg25832_rings` (D43). */
const METRE_DECIMALS = 2;

/**
 * A row per kind with its count, and per drawn feature. `feature_history` has a row without shape
 * for a new key.
 */
function statement(layer: LayerId, from: number, to: number): RawBuilder<Row> {
  const of = sql`layer = ${layer}`;
  const geoJson = (shape: RawBuilder<unknown>) =>
    sql`ST_AsGeoJSON(${shape}, ${METRE_DECIMALS}::integer, 0)`;
  return sql<Row>`
    with was as (
      select distinct on (key) key, object_id, content_hash, geom from feature_history
      where ${of} and version > ${from}::bigint and version <= ${to}::bigint
      order by key, version),
    next as (
      select distinct on (key) key, object_id, content_hash, geom from feature_history
      where ${of} and version > ${to}::bigint
      order by key, version),
    is_now as (
      select w.key,
        case when n.key is null then m.object_id else n.object_id end as object_id,
        case when n.key is null then m.content_hash else n.content_hash end as content_hash,
        case when n.key is null then m.geom else n.geom end as geom
      from was w left join next n on n.key = w.key
      left join (${mirrorRows(layer)}) m on m.key = w.key),
    differing as (
      select w.key, coalesce(i.object_id, w.object_id) as object_id, w.geom as before,
        i.geom as after, case
          when w.geom is null then 'added'
          when i.geom is null then 'removed'
          when ST_AsBinary(w.geom) <> ST_AsBinary(i.geom) then 'moved'
          else 'changed' end as what
      from was w join is_now i on i.key = w.key
      where w.content_hash is distinct from i.content_hash),
    sized as (
      select *, count(*) over (partition by what)::integer as count,
        coalesce(ST_NPoints(before), 0) + coalesce(ST_NPoints(after), 0) as vertices
      from differing),
    ranked as (
      select *, row_number() over by_size as place,
        sum(vertices) over (by_size rows unbounded preceding) as so_far
      from sized window by_size as (order by vertices, key))
    select what, count, null as key, null as object_id, null as before, null as after
    from (select distinct what, count from sized) c
    union all
    select what, count, key, object_id,
      case when what <> 'changed' then ${geoJson(sql`before`)} end, ${geoJson(sql`after`)}
    from ranked
    where place <= ${OPS_LIMITS.differenceFeatures}::integer
      and so_far <= ${OPS_LIMITS.differenceVertices}::integer`;
}

function mirrorRows(layer: LayerId): RawBuilder<unknown> {
  if (isConditionId(layer)) {
    return sql`select key, object_id, content_hash, geom from condition_feature where layer = ${layer}`;
  }
  return isLineKey(layer)
    ? sql`select key, object_id, content_hash, geom from line_feature where layer = ${layer}`
    : sql`select key, key as object_id, content_hash, geom from area where theme = ${layer}`;
}
