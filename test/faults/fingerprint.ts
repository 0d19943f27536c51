/** What readers can see of a layer, as one text: rows, zones or pieces, state. */
import type { Store } from '../../src/db/connect.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { isAreaId } from '../../src/layers/keys.ts';

export interface Fingerprint {
  /** Rows and what is derived from them, geometry included. */
  readonly content: string;
  /** Store-wide. */
  readonly generation: number;
  /** Content, version, generation and the moment that was proved. */
  readonly text: string;
}

const LINES = `
  select concat_ws('/',
    (select md5(string_agg(concat(key, object_id, standing, adopted, attributes, area_m2,
      encode(content_hash, 'hex'), md5(ST_AsBinary(geom))), ',' order by key))
      from line_feature where layer = $1),
    (select md5(string_agg(encode(zone_key, 'hex'), ',' order by zone_key))
      from line_zone where layer = $1),
    (select concat(count(*), ' ', round(sum(ST_Length(geom))::numeric, 3))
      from line_zone_edge where layer = $1)) as content`;

const AREAS = `
  select concat_ws('/',
    (select md5(string_agg(concat(key, code, name, region_code, attributes,
      encode(content_hash, 'hex'), md5(ST_AsBinary(geom))), ',' order by key))
      from area where theme = $1),
    (select concat(count(*), ' ', round(sum(ST_Area(geom))::numeric, 2))
      from area_piece where theme = $1)) as content`;

export async function fingerprint(
  { pool }: Pick<Store, 'pool'>,
  layer: LayerId,
): Promise<Fingerprint> {
  const { rows } = await pool.query<{ content: string; state: string | null; generation: number }>(
    `select c.content, s.generation,
       (select concat(version, ' ', generation, ' ', synced_at, ' ', published_at, ' ', row_count)
        from layer_state where layer = $1) as state
     from (${isAreaId(layer) ? AREAS : LINES}) c, store_state s`,
    [layer],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The store has no state.');
  const { content, generation, state } = row;
  return { content, generation, text: `${content} ${state ?? 'never'} ${generation}` };
}

/** What no run may leave behind: rows on the stage, and runs that never end. */
export async function leftovers({
  pool,
}: Pick<Store, 'pool'>): Promise<{ readonly staged: number; readonly running: number }> {
  const { rows } = await pool.query<{ staged: number; running: number }>(
    `select (select count(*) from stage_feature) + (select count(*) from stage_zone_member) +
       (select count(*) from stage_zone_edge) as staged,
       (select count(*) from sync_run where state = 'running') as running`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The store counted nothing at all.');
  return row;
}
