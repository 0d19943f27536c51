/**
 * Derived data prepared before their instant, by content: pieces of future rows, their regions, and
 * each layer's next version.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { allRows, firstValue, oneRow } from '../../db/rows.ts';
import type { AreaId, LayerId } from '../../layers/keys.ts';
import { rowsAfter } from '../../db/dated-rows.ts';
import type { AheadVersion, PublishedContent } from '../../core/register-layers.ts';

/** Regions of areas follow from it. */
export async function regionsDigest(db: Db): Promise<string> {
  return await firstValue(db, '')`
    select md5(coalesce(string_agg(code || ' ' || encode(content_hash, 'hex'), ' '
      order by code collate "C"), '')) as digest
    from area where theme = 'region'`;
}

/** Snapshots of areas follow from it. Rows `r` with key, content_hash and region_code. */
export const CONTENT_DIGEST = sql<string>`
  md5(coalesce(string_agg(r.key || ' ' || encode(r.content_hash, 'hex') || ' '
    || coalesce(r.region_code, ''), ' ' order by r.key collate "C"), ''))`;

export async function contentDigest(db: Db, layer: AreaId): Promise<string> {
  return await firstValue(db, '')`
    select ${CONTENT_DIGEST} as digest from area r where r.theme = ${layer}`;
}

/** Throws where nothing is published. */
export async function readContent(db: Db, layer: LayerId): Promise<PublishedContent> {
  return await oneRow<PublishedContent>(db)`
    select s.version::integer, floor(extract(epoch from s.published_at) * 1000)::float8
        as "publishedAtMs",
      (select ${CONTENT_DIGEST} from area r where r.theme = s.layer) as content
    from layer_state s where s.layer = ${layer}`;
}

export async function readAhead(db: Db): Promise<readonly AheadVersion[]> {
  return await allRows<AheadVersion>(db)`
    select layer, version::integer, content, regions,
      to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from dated_version, dated_prepared order by layer`;
}

const current = (layer: LayerId) => sql`
  select key, code as object_id, 'in_force' as standing, true as adopted, content_hash, attributes,
    geom
  from area where theme = ${layer}`;

export function areasAhead({ layer, regions, at }: AheadVersion): RawBuilder<unknown> {
  const span = { from: '-infinity', to: at };
  return sql`
    select n.*, n.attributes->>'code' as code, n.attributes->>'name' as name,
      case when ${layer} = 'region' then n.attributes->>'code' else d.code end as region_code
    from (${rowsAfter(layer, current(layer), span)}) n
    left join dated_region d on d.regions = ${regions} and d.theme = ${layer} and d.key = n.key
      and d.content_hash = n.content_hash`;
}

export async function leadsTo(db: Db, ahead: AheadVersion): Promise<boolean> {
  const digest = await firstValue<string | null>(db, null)`
    select ${CONTENT_DIGEST} as digest from (${areasAhead(ahead)}) r`;
  return digest === ahead.content;
}
