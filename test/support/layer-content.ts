/** All that readers can see of a layer, as one value to compare: rows, zones, edges, pieces. */
import type { Store } from '../../src/db/connect.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { AREA_IDS } from '../../src/layers/keys.ts';

const LINES = `
  select 'feature' as part, md5(coalesce(string_agg(concat_ws('|', key, object_id, standing,
    adopted, encode(content_hash, 'hex'), attributes, area_m2, ST_AsEWKB(geom)), ';'
    order by key), '')) as hash, count(*)::integer as count
  from line_feature where layer = $1
  union all
  select 'zone', md5(coalesce(string_agg(encode(zone_key, 'hex'), ';' order by zone_key), '')),
    count(*)::integer
  from line_zone where layer = $1
  union all
  select 'edge', md5(coalesce(string_agg(encode(zone_key, 'hex') || ST_AsEWKB(geom), ';'
    order by zone_key, ST_AsEWKB(geom)), '')), count(*)::integer
  from line_zone_edge where layer = $1`;

const AREAS = `
  select 'area' as part, md5(coalesce(string_agg(concat_ws('|', key, code, name, region_code,
    encode(content_hash, 'hex'), attributes, ST_AsEWKB(geom)), ';' order by key), '')) as hash,
    count(*)::integer as count
  from area where theme = $1
  union all
  select 'piece', md5(coalesce(string_agg(key || ST_AsEWKB(geom), ';'
    order by key, ST_AsEWKB(geom)), '')), count(*)::integer
  from area_piece where theme = $1
  union all
  select 'regions', md5(coalesce(string_agg(concat_ws('|', theme, key, region_code), ';'
    order by theme, key), '')), count(*)::integer
  from area`;

/** One statement, so of one moment; equal texts mean equal content, bit for bit. */
export async function contentOf({ pool }: Pick<Store, 'pool'>, layer: LayerId): Promise<string> {
  const isArea = (AREA_IDS as readonly string[]).includes(layer);
  const { rows } = await pool.query<{ part: string; hash: string; count: number }>(
    isArea ? AREAS : LINES,
    [layer],
  );
  return rows.map(({ part, hash, count }) => `${part} ${count} ${hash}`).join('\n');
}
