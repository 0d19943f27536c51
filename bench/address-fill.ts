/** Puts generated addresses into a store, as if they had been mirrored: what reverse needs of them. */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import type { AccessRow } from '../src/layers/addresses.ts';
import type { GeneratedAddresses } from './national/addresses.ts';

const BATCH_ROWS = 20_000;

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
  for (const rows of batches(made.accesses)) {
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
  await publish(store, from);
  await sql`analyze`.execute(store.db);
}

/** By the digits of its id, so the same each time. */
const isStairway = sql<boolean>`hashtext(a.id::text) % 12 = 0`;

function* batches(rows: Iterable<AccessRow>): Generator<AccessRow[]> {
  let batch: AccessRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

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

async function publish(store: Store, rows: number): Promise<void> {
  await sql`
    with next as (update store_state set generation = generation + 1 returning generation)
    insert into layer_state
      (layer, version, generation, synced_at, published_at, row_count, area_m2)
    select 'adresser', 1, generation, now(), now(), ${rows}, 0 from next`.execute(store.db);
}
