/**
 * What is worked out of areas before their instant, found again by the content it follows from: pieces of
 * rows to come, regions of all areas among regions to come, and the content of each layer's next version.
 */
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Database } from '../../db/tables.generated.ts';
import type { AreaId, LayerId } from '../../layers/keys.ts';

type Db = Kysely<Database>;

/** Instants that a content is led over: those from the first on, up to and with the last; ISO 8601. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The published rows of a layer without those that end in the span, with those that begin in it and could be read. */
export function areasAfter(layer: LayerId, { from, to }: Span): RawBuilder<unknown> {
  return sql`
    with begun as (
      select distinct on (key) * from dated_row
      where layer = ${layer} and begins_at > '-infinity'
        and begins_at >= ${from}::timestamptz and begins_at <= ${to}::timestamptz
        and (ends_at is null or ends_at > ${to}::timestamptz)
      order by key, begins_at desc
    ),
    ended as (
      select key from dated_row
      where layer = ${layer} and begins_at = '-infinity'
        and ends_at >= ${from}::timestamptz and ends_at <= ${to}::timestamptz
      union all
      -- What takes its place could not be read: its place is one of no answer.
      select u->>'key' from layer_state, jsonb_array_elements(unread) u
      where layer = ${layer} and u->>'key' is not null
        and (u->>'beginsAt')::timestamptz between ${from}::timestamptz and ${to}::timestamptz
    )
    select a.key, a.code as object_id, 'in_force' as standing, true as adopted, a.content_hash,
      a.attributes, a.geom, a.code, a.name
    from area a
    where a.theme = ${layer} and a.key not in (select key from ended)
      and a.key not in (select key from begun)
    union all
    select key, object_id, standing, adopted, content_hash, attributes, geom,
      attributes->>'code', attributes->>'name'
    from begun`;
}

/** Digest of the published regions: what the region of an area follows from, beside the area. */
export async function regionsDigest(db: Db): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select md5(coalesce(string_agg(code || ' ' || encode(content_hash, 'hex'), ' '
      order by code collate "C"), '')) as digest
    from area where theme = 'region'`.execute(db);
  return rows[0]?.digest ?? '';
}

/** Digest of rows `r` with key, content_hash and region_code: all that a snapshot of areas follows from. */
export const CONTENT_DIGEST = sql<string>`
  md5(coalesce(string_agg(r.key || ' ' || encode(r.content_hash, 'hex') || ' '
    || coalesce(r.region_code, ''), ' ' order by r.key collate "C"), ''))`;

/** The content of a published layer as its snapshot holds it. */
export async function contentDigest(db: Db, layer: AreaId): Promise<string> {
  const { rows } = await sql<{ digest: string }>`
    select ${CONTENT_DIGEST} as digest from area r where r.theme = ${layer}`.execute(db);
  return rows[0]?.digest ?? '';
}

/** As `contentDigest`, with the version that it is of. Throws where nothing is published. */
export async function readContent(
  db: Db,
  layer: LayerId,
): Promise<{
  readonly version: number;
  readonly publishedAtMs: number;
  readonly content: string;
}> {
  const { rows } = await sql<{ version: number; published_ms: number; digest: string }>`
    select s.version::integer, floor(extract(epoch from s.published_at) * 1000)::float8
        as published_ms,
      (select ${CONTENT_DIGEST} from area r where r.theme = s.layer) as digest
    from layer_state s where s.layer = ${layer}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`Nothing is published of ${layer}.`);
  return { version: row.version, publishedAtMs: row.published_ms, content: row.digest };
}

/** The next version of a layer, prepared. */
export interface AheadVersion {
  readonly layer: AreaId;
  readonly version: number;
  /** Of its rows and their regions. */
  readonly content: string;
  /** Of the regions they lie in. */
  readonly regions: string;
  /** Its instant, ISO 8601. */
  readonly at: string;
}

/** The next versions of the layers that change at the next instant; none: nothing is prepared. */
export async function readAhead(db: Db): Promise<readonly AheadVersion[]> {
  const { rows } = await sql<AheadVersion>`
    select layer, version::integer, content, regions,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from dated_version, dated_prepared order by layer`.execute(db);
  return rows;
}

/** Rows of a layer's next version, with the region each lies in. */
export function areasAhead({ layer, regions, at }: AheadVersion): RawBuilder<unknown> {
  const span = { from: '-infinity', to: at };
  return sql`
    select n.*, case when ${layer} = 'region' then n.code else d.code end as region_code
    from (${areasAfter(layer, span)}) n
    left join dated_region d on d.regions = ${regions} and d.theme = ${layer} and d.key = n.key
      and d.content_hash = n.content_hash`;
}

/** Whether the rows at hand lead to the content that was prepared. */
export async function leadsTo(db: Db, ahead: AheadVersion): Promise<boolean> {
  const { rows } = await sql<{ digest: string }>`
    select ${CONTENT_DIGEST} as digest from (${areasAhead(ahead)}) r`.execute(db);
  return rows[0]?.digest === ahead.content;
}
