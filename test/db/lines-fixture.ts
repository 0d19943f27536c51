/** Fills the mirror of building lines as a sync does: stage, zones outside, everything inside one go. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import type { LineAttributes } from '../../src/layers/feature.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { ONLY_IN_FORCE } from '../../src/layers/mappings/columns.ts';
import { applyZones, prepareZones } from '../../src/registers/lines/zones.ts';
import type { ZoneChange } from '../../src/registers/lines/zones.ts';

export interface GivenFeature {
  readonly id: string;
  /** WKT in EPSG:25832. */
  readonly wkt: string;
  readonly key?: string;
  readonly repealed?: boolean;
  readonly adopted?: boolean;
}

export const ATTRIBUTES: LineAttributes = {
  ...ONLY_IN_FORCE,
  ...{ statusCode: '3', statusName: 'Gældende / Vedtaget', validFrom: '2014-03-14T14:26:58Z' },
};

let lastRun = 0;

/** Makes the layer hold exactly these features, publishes it, and says what became of the zones. */
export async function publishLine(
  store: Pick<Store, 'db'>,
  line: LineKey,
  features: readonly GivenFeature[],
  options: { readonly syncedAtMs?: number } = {},
): Promise<ZoneChange> {
  lastRun += 1;
  const run = { runId: String(1_000_000 + lastRun), layer: LINE_LAYERS[line] };
  await stage(store, run.runId, features);
  await prepareZones(store.db, run);
  const change = await store.db.transaction().execute(async (trx) => {
    await sql`delete from line_feature where layer = ${line}`.execute(trx);
    await sql`
      insert into line_feature (layer, key, object_id, standing, adopted, content_hash,
        attributes, area_m2, geom)
      select ${line}, key, object_id, standing, adopted, content_hash, attributes,
        case when ${run.layer.geometry} = 'area' then ST_Area(geom) end, geom
      from stage_feature where run_id = ${run.runId}`.execute(trx);
    const zones = await applyZones(trx, run);
    await sql`
      with stepped as (update store_state set generation = generation + 1 returning generation)
      insert into layer_state (layer, version, generation, synced_at, published_at, row_count,
        area_m2)
      select ${line}, 1, generation, to_timestamp(${options.syncedAtMs ?? 0}::float8 / 1000), now(),
        ${features.length}::integer, 0
      from stepped
      on conflict (layer) do update set version = layer_state.version + 1,
        generation = excluded.generation, synced_at = excluded.synced_at`.execute(trx);
    return zones;
  });
  await sql`delete from stage_feature where run_id = ${run.runId}`.execute(store.db);
  return change;
}

async function stage(
  store: Pick<Store, 'db'>,
  runId: string,
  features: readonly GivenFeature[],
): Promise<void> {
  const hash = (feature: GivenFeature) =>
    createHash('sha256').update(JSON.stringify(feature)).digest();
  await sql`
    insert into stage_feature (run_id, key, object_id, standing, adopted, content_hash,
      attributes, geom)
    select ${runId}::bigint, key, object_id, case when repealed then 'repealed' else 'in_force' end,
      adopted, hash, jsonb_set(${JSON.stringify(ATTRIBUTES)}::jsonb, '{category}', to_jsonb(key)),
      ST_GeomFromText(wkt, 25832)
    from unnest(${features.map(({ id, key }) => key ?? id)}::text[],
      ${features.map(({ id }) => id)}::text[],
      ${features.map(({ repealed }) => repealed === true)}::boolean[],
      ${features.map(({ adopted }) => adopted !== false)}::boolean[],
      ${features.map(hash)}::bytea[],
      ${features.map(({ wkt }) => wkt)}::text[])
      as given(key, object_id, repealed, adopted, hash, wkt)`.execute(store.db);
}

export function polygonWkt(rings: readonly (readonly number[])[]): string {
  return `POLYGON(${rings.map((ring) => `(${pairs(ring)})`).join(',')})`;
}

export function lineWkt(line: readonly number[]): string {
  return `LINESTRING(${pairs(line)})`;
}

function pairs(flat: readonly number[]): string {
  const texts: string[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) texts.push(`${flat[i]!} ${flat[i + 1]!}`);
  return texts.join(',');
}
