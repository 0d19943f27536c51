/** The loader of the generated country: into a store, as if it had been mirrored. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { lineWkb } from '../src/geo/wkb.ts';
import type { AccessRow } from '../src/registers/addresses/addresses.ts';
import type { AreaId, LineKey, MirrorId } from '../src/layers/keys.ts';
import { ADDRESSES, AREA_IDS, LINE_KEYS } from '../src/layers/keys.ts';
import { cutNewAreas } from '../src/registers/areas/derive.ts';
import { areaFeatures } from './national/areas.ts';
import type { GeneratedAddresses } from './national/addresses.ts';
import type { Land } from './national/land.ts';
import { lineFeatures } from './national/lines.ts';
import type { GeneratedFeature } from './national/lines.ts';

const FEATURES_PER_STATEMENT = 2_000;
const ADDRESSES_PER_STATEMENT = 20_000;
const BATCH_BYTES = 8 * 1024 * 1024;

/** Fills an empty, migrated store. Minutes at national size. `areas`: the land of the areas, if another. */
export async function fillStore(store: Store, land: Land, areas = land): Promise<void> {
  for (const line of LINE_KEYS) {
    const features = batches(lineFeatures(land, line), FEATURES_PER_STATEMENT);
    for (const rows of features) await insertLines(store, line, rows);
    await publish(store, line);
  }
  await fillAreas(store, areas);
  // All that was loaded at once would be vacuumed in the middle of what is measured.
  await sql`vacuum analyze`.execute(store.db);
}

/** The areas alone, with their pieces; which region they lie in is not worked out. */
async function fillAreas(store: Store, land: Land): Promise<void> {
  for (const id of AREA_IDS) {
    const features = batches(areaFeatures(land, id), FEATURES_PER_STATEMENT);
    for (const rows of features) await insertAreas(store, id, rows);
    await cutNewAreas(store.db, id);
    await publish(store, id);
  }
}

/** In parts of so many rows, or of so many bytes of geometry. */
function* batches<R extends object>(rows: Iterable<R>, size: number): Generator<R[]> {
  let some: R[] = [];
  let bytes = 0;
  for (const row of rows) {
    some.push(row);
    if ('wkb' in row && row.wkb instanceof Uint8Array) bytes += row.wkb.length;
    if (some.length < size && bytes < BATCH_BYTES) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
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
      ST_Multi(sound_geometry(ST_GeomFromWKB(wkb, 25832), 3))
    from unnest(${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ key }) => hashOf(key))}::bytea[],
      ${rows.map(({ attributes }) => attributes)}::text[],
      ${rows.map(({ wkb }) => Buffer.from(wkb))}::bytea[])
      as given(key, hash, attributes, wkb)`.execute(store.db);
}

/** As if a sync had published it just now. */
export async function publish(store: Store, layer: MirrorId, rows = 0): Promise<void> {
  await sql`
    with stepped as (update store_state set generation = generation + 1 returning generation)
    insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
    select ${layer}, 1, generation, now(), now(), ${rows}, 0 from stepped`.execute(store.db);
}

/** An id that stands for a number, in the form of the register's. */
function idOf(kind: number, n: number): string {
  return `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/**
 * Fills the tables of an empty, migrated store but for former names. Every twelfth door is a stairway
 * of eight flats, as there are units in the country; the others are whole houses.
 */
export async function fillAddresses(store: Store, made: GeneratedAddresses): Promise<void> {
  const { postcodes, roads } = made;
  await sql`
    insert into address_postcode (id, status, code, name, registered_from, valid_from)
    select id, 3, code, name, now(), now()
    from unnest(${postcodes.map((_, n) => idOf(1, n))}::uuid[],
      ${postcodes.map(({ code }) => code)}::text[],
      ${postcodes.map(({ name }) => name)}::text[]) as p(id, code, name)`.execute(store.db);
  await sql`
    insert into address_road (id, status, name, short_name, registered_from, valid_from)
    select distinct on (id) id, 3, name, null, now(), now()
    from unnest(${roads.map(({ roadId }) => roadId)}::uuid[],
      ${roads.map(({ name }) => name)}::text[]) as r(id, name)`.execute(store.db);
  await sql`
    insert into address_road_part
      (id, status, road_id, municipality_code, road_code, registered_from, valid_from)
    select id, 3, road, municipality, code, now(), now()
    from unnest(${roads.map((_, n) => idOf(2, n))}::uuid[],
      ${roads.map(({ roadId }) => roadId)}::uuid[],
      ${roads.map(({ municipalityCode }) => municipalityCode)}::text[],
      ${roads.map(({ roadCode }) => roadCode)}::text[]) as r(id, road, municipality, code)`.execute(
    store.db,
  );
  let from = 0;
  for (const rows of batches(made.accesses, ADDRESSES_PER_STATEMENT)) {
    await insertAccesses(store, made, { rows, from });
    from += rows.length;
  }
  await sql`
    insert into address_unit (id, status, access_id, floor, door, registered_from, valid_from)
    select md5(a.id::text || coalesce(h.floor, '') || coalesce(h.door, ''))::uuid, a.status, a.id,
      h.floor, h.door, now(), now()
    from address_access a
    cross join lateral (
      select floor, door from unnest(array['st', '1', '2', '3']) floor,
        unnest(array['tv', 'th']) door
      where ${isStairway}
      union all select null, null where not ${isStairway}) h`.execute(store.db);
  await publish(store, ADDRESSES, from);
  await sql`analyze`.execute(store.db);
}

/** By the digits of its id, so the same each time. */
const isStairway = sql<boolean>`hashtext(a.id::text) % 12 = 0`;

async function insertAccesses(
  store: Store,
  { roads }: GeneratedAddresses,
  { rows, from }: { readonly rows: readonly AccessRow[]; readonly from: number },
): Promise<void> {
  const points = rows.map((_, n) => idOf(3, from + n));
  await sql`
    insert into address_point (id, status, geom, registered_from, valid_from)
    select id, 8, ST_SetSRID(ST_MakePoint(x, y), 25832), now(), now()
    from unnest(${points}::uuid[],
      ${rows.map(({ position }) => position?.xUtm32 ?? null)}::float8[],
      ${rows.map(({ position }) => position?.yUtm32 ?? null)}::float8[]) as p(id, x, y)`.execute(
    store.db,
  );
  await sql`
    insert into address_access (id, status, road_id, house_number, postcode_id, municipality_code,
      point_id, registered_from, valid_from)
    select id, status, road, house, postcode, municipality, point, now(), now()
    from unnest(${rows.map(({ id }) => id)}::uuid[],
      ${rows.map(({ status }) => status)}::smallint[],
      ${rows.map(({ road }) => roads[road]!.roadId)}::uuid[],
      ${rows.map(({ houseNumber }) => houseNumber)}::text[],
      ${rows.map(({ postcode }) => (postcode === null ? null : idOf(1, postcode)))}::uuid[],
      ${rows.map(({ road }) => roads[road]!.municipalityCode)}::text[],
      ${points}::uuid[]) as a(id, status, road, house, postcode, municipality, point)`.execute(
    store.db,
  );
}
