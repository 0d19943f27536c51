/** The generated parcels in the store, as their mirror writes them. */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { CADASTRE } from '../src/layers/keys.ts';
import { publish } from './fill.ts';
import type { GeneratedParcel, ParcelNet } from './national/parcels.ts';

const PER_STATEMENT = 5_000;
const TABLES = ['Ejerlav', 'SamletFastEjendom', 'Jordstykke', 'Lodflade'];

/** Parcels with a face each and their districts, into tables that are empty. */
export async function fillParcels(store: Store, net: ParcelNet): Promise<void> {
  await insertDistricts(store, net);
  for (let from = 0; from < net.count; from += PER_STATEMENT) {
    const length = Math.min(PER_STATEMENT, net.count - from);
    await insertParcels(
      store,
      Array.from({ length }, (_, i) => net.parcel(from + i)),
    );
  }
  await sql`
    insert into cadastre_source
      (entity, version, total_generation, total_md5, generation, columns)
    select entity, '1', 1, '', 1, '[]'::jsonb from unnest(${TABLES}::text[]) as t(entity)`.execute(
    store.db,
  );
  await publish(store, CADASTRE, net.count);
  for (const table of ['cadastre_district', 'cadastre_parcel', 'cadastre_face']) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(store.db);
  }
}

async function insertDistricts(store: Store, net: ParcelNet): Promise<void> {
  const districts = net.districts();
  await sql`
    insert into cadastre_district (id, code, name, registered_from, valid_from)
    select id, code, name, now(), now()
    from unnest(${districts.map(({ id }) => id)}::bigint[],
      ${districts.map(({ code }) => code)}::bigint[],
      ${districts.map(({ name }) => name)}::text[]) as d(id, code, name)`.execute(store.db);
}

async function insertParcels(store: Store, rows: readonly GeneratedParcel[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await sql`
    insert into cadastre_parcel (id, status, bfe, number, district_id, municipality_code, area,
      registered_from, valid_from)
    select id, 3, bfe, number, district, municipality, area, now(), now()
    from unnest(${ids}::bigint[], ${rows.map(({ bfe }) => bfe)}::bigint[],
      ${rows.map(({ number }) => number)}::text[],
      ${rows.map(({ district_id: district }) => district)}::bigint[],
      ${rows.map(({ municipality_code: code }) => code)}::text[],
      ${rows.map(({ area }) => area)}::bigint[])
      as p(id, bfe, number, district, municipality, area)`.execute(store.db);
  await sql`
    insert into cadastre_face (id, parcel_id, geom, registered_from, valid_from)
    select id, id::bigint, ST_GeomFromWKB(wkb, 25832), now(), now()
    from unnest(${ids.map(String)}::text[],
      ${rows.map(({ wkb }) => Buffer.from(wkb))}::bytea[]) as f(id, wkb)`.execute(store.db);
}
