/** Puts the generated country into a store, as if it had been mirrored: rows, zones, pieces, state. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { lineWkb } from '../src/geo/wkb.ts';
import type { AreaId, LayerId, LineKey } from '../src/layers/keys.ts';
import { AREA_IDS, LINE_KEYS } from '../src/layers/keys.ts';
import { cutNewAreas } from '../src/registers/dagi/derive.ts';
import { areaFeatures } from './national/areas.ts';
import type { Land } from './national/land.ts';
import { lineFeatures } from './national/lines.ts';
import type { GeneratedFeature } from './national/lines.ts';

const BATCH_ROWS = 2_000;
const BATCH_BYTES = 8 * 1024 * 1024;

/** Fills an empty, migrated store. Minutes at national size. */
export async function fillStore(store: Store, land: Land): Promise<void> {
  for (const line of LINE_KEYS) {
    for (const rows of batches(lineFeatures(land, line))) await insertLines(store, line, rows);
    await publish(store, line);
  }
  for (const id of AREA_IDS) {
    for (const rows of batches(areaFeatures(land, id))) await insertAreas(store, id, rows);
    await cutNewAreas(store.db, id);
    await publish(store, id);
  }
  // All that was loaded at once would be vacuumed in the middle of what is measured.
  await sql`vacuum analyze`.execute(store.db);
}

function* batches<F extends { readonly wkb: Uint8Array }>(features: Iterable<F>): Generator<F[]> {
  let rows: F[] = [];
  let bytes = 0;
  for (const feature of features) {
    rows.push(feature);
    bytes += feature.wkb.length;
    if (rows.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield rows;
    rows = [];
    bytes = 0;
  }
  if (rows.length > 0) yield rows;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

async function insertLines(
  store: Store,
  line: LineKey,
  rows: readonly GeneratedFeature[],
): Promise<void> {
  await sql`
    insert into line_feature (layer, key, object_id, standing, adopted, content_hash, attributes,
      area_m2, geom)
    select ${line}, key, key, standing, adopted, hash, attributes::jsonb, area_m2,
      ST_GeomFromWKB(wkb, 25832)
    from unnest(${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ standing }) => standing)}::text[],
      ${rows.map(({ adopted }) => adopted)}::boolean[],
      ${rows.map(({ key }) => hashOf(key))}::bytea[],
      ${rows.map(({ attributes }) => attributes)}::text[],
      ${rows.map(({ areaM2 }) => areaM2)}::float8[],
      ${rows.map(({ wkb }) => Buffer.from(wkb))}::bytea[])
      as given(key, standing, adopted, hash, attributes, area_m2, wkb)`.execute(store.db);
  const edges = rows.flatMap(({ key, zoneEdges }) =>
    zoneEdges.map((edge) => ({ zone: hashOf(key), wkb: Buffer.from(lineWkb(edge)) })),
  );
  await sql`
    insert into line_zone (layer, zone_key)
    select distinct ${line}, zone from unnest(${edges.map(({ zone }) => zone)}::bytea[])
      as given(zone)`.execute(store.db);
  await sql`
    insert into line_zone_edge (layer, zone_key, geom)
    select ${line}, zone, ST_GeomFromWKB(wkb, 25832)
    from unnest(${edges.map(({ zone }) => zone)}::bytea[],
      ${edges.map(({ wkb }) => wkb)}::bytea[]) as given(zone, wkb)`.execute(store.db);
}

async function insertAreas(
  store: Store,
  theme: AreaId,
  rows: readonly { key: string; attributes: string; wkb: Uint8Array }[],
): Promise<void> {
  await sql`
    insert into area (theme, key, code, name, content_hash, attributes, geom)
    select ${theme}, key, attributes::jsonb->>'code', attributes::jsonb->>'name', hash,
      attributes::jsonb,
      -- A finely drawn coast crosses itself here and there; a sync repairs that in its stage.
      ST_Multi(ST_CollectionExtract(ST_MakeValid(ST_GeomFromWKB(wkb, 25832)), 3))
    from unnest(${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ key }) => hashOf(key))}::bytea[],
      ${rows.map(({ attributes }) => attributes)}::text[],
      ${rows.map(({ wkb }) => Buffer.from(wkb))}::bytea[])
      as given(key, hash, attributes, wkb)`.execute(store.db);
}

async function publish(store: Store, layer: LayerId): Promise<void> {
  await sql`
    with stepped as (update store_state set generation = generation + 1 returning generation)
    insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
    select ${layer}, 1, generation, now(), now(), 0, 0 from stepped`.execute(store.db);
}
