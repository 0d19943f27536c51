/** Parcels in force within a box (D139) or of a number (D150), in one statement. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { Box } from '../../geo/box.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { COPY_OF_TABLE, fromCopy, copyIn } from '../../core/tiles/store-tiles.ts';
import { CADASTRE } from '../../layers/keys.ts';
import { CADASTRE_LIMITS } from './limits.ts';
import { spellingsOf } from './parcels.ts';
import type { StoredParcel } from './parcels.ts';
import { IN_FORCE } from './store.ts';
import type { CopyOfTable, StoreCopy } from '../../core/tiles/store-tiles.ts';

export type TileParcel = StoredParcel & { readonly wkb: Uint8Array };

interface Row extends CopyOfTable, StoredParcel {
  readonly id: number | null;
}

export const HAS_FACES = sql`exists (select from cadastre_source where entity = 'Lodflade')`;
/** Without faces (Lodflade) no parcel has a position, and no tile may be drawn as empty. */
const COPY_OF_FACES = sql`${COPY_OF_TABLE}, ${HAS_FACES} as "isThere"`;
const FROM_COPY = fromCopy(CADASTRE);

export async function readParcelCopy({ db }: Pick<Store, 'db'>): Promise<StoreCopy> {
  const { rows } = await sql<CopyOfTable>`select ${COPY_OF_FACES} ${FROM_COPY}`.execute(db);
  return copyIn(rows);
}

/** Throws when the faces cannot be read. */
export async function readParcelsWithin(
  store: Pick<Store, 'db'>,
  { minX, minY, maxX, maxY }: Box,
  most: number,
): Promise<StoreCopy & { readonly parcels: readonly TileParcel[] }> {
  // First, by the index of the faces: no limit may lead the planner through all parcels.
  const within = sql`select distinct f.parcel_id as id from cadastre_face f
      where f.geom && ST_MakeEnvelope(
        ${minX}::float8, ${minY}::float8, ${maxX}::float8, ${maxY}::float8, 25832)`;
  const { parcels, ...copy } = await readParcels(store, within, most);
  return { ...copy, parcels: parcels.filter((each): each is TileParcel => each.wkb !== null) };
}

export type ParcelsRead = StoreCopy & { readonly parcels: readonly StoredParcel[] };

export async function readParcelsOfNumber(
  store: Pick<Store, 'db'>,
  districtCode: number,
  number: string,
): Promise<ParcelsRead> {
  const named = sql`select n.id from cadastre_district d join cadastre_parcel n
      on n.district_id = d.id and n.number = any(${spellingsOf(number)}::text[])
      where d.code = ${districtCode}::bigint`;
  return await readParcels(store, named, CADASTRE_LIMITS.parcels);
}

/** Parcels whose boxes hold a point, and those of the numbers. */
export async function readParcelsAmong(
  store: Pick<Store, 'db'>,
  {
    points,
    numbers,
  }: {
    readonly points: readonly PointUtm32[];
    readonly numbers: readonly { readonly code: number; readonly number: string }[];
  },
): Promise<ParcelsRead> {
  const among = sql`select f.parcel_id as id
      from unnest(${points.map(({ xUtm32 }) => xUtm32)}::float8[],
        ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) as p(x, y)
      join cadastre_face f on f.geom && ST_SetSRID(ST_MakePoint(p.x, p.y), 25832)
      union
      select n.id
      from unnest(${numbers.map(({ code }) => code)}::bigint[],
        ${numbers.map(({ number }) => number)}::text[]) as k(code, number)
      join cadastre_district d on d.code = k.code
      join cadastre_parcel n on n.district_id = d.id and n.number = k.number`;
  return await readParcels(store, among, CADASTRE_LIMITS.parcels);
}

async function readParcels(
  { db }: Pick<Store, 'db'>,
  near: RawBuilder<unknown>,
  most: number,
): Promise<ParcelsRead> {
  const { rows } = await statement(near, most).execute(db);
  return {
    ...copyIn(rows),
    parcels: rows.flatMap((row) => (row.id === null ? [] : parcelOf(row))),
  };
}

function parcelOf({ number, districtCode, districtName, bfe, area, municipalityCode, wkb }: Row) {
  return { number, districtCode, districtName, bfe, area, municipalityCode, wkb };
}

/** Most parcels have one face, which needs no union. */
export function placeOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
  select ST_AsBinary(case when count(*) = 1 then sound_geometry((array_agg(f.geom))[1], 3)
    else ST_Multi(ST_CollectionExtract(
      ST_UnaryUnion(ST_Collect(sound_geometry(f.geom, 3))), 3)) end, 'NDR')
  from cadastre_face f where f.parcel_id = ${id})`;
}

function statement(near: RawBuilder<unknown>, most: number) {
  return sql<Row>`
    with near as materialized (${near}),
    chosen as materialized (
      select p.id, p.number, p.bfe, p.area, p.municipality_code, p.district_id
      from near join cadastre_parcel p on p.id = near.id and p.status = ${IN_FORCE}
      order by p.id
      limit ${most}),
    parcel as (
      select c.id, c.number, c.bfe, c.area, c.municipality_code as "municipalityCode",
        d.code as "districtCode", d.name as "districtName", ${placeOf(sql`c.id`)} as wkb
      from chosen c
      left join cadastre_district d on d.id = c.district_id)
    select ${COPY_OF_FACES}, parcel.*
    ${FROM_COPY}
    left join parcel on true
    order by parcel.id`;
}
