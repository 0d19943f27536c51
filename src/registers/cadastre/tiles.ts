/** The parcels in force within a box, as tiles need them (D139). One statement. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../db/connect.ts';
import type { Box } from '../../geo/box.ts';
import { COPY_COLUMNS, copyOfRow } from '../../layers/published-copy.ts';
import type { CopyRow } from '../../layers/published-copy.ts';
import type { StoreCopy } from '../../memory/store-tiles.ts';
import { IN_FORCE } from './store.ts';

export interface TileParcel {
  readonly number: string | null;
  readonly districtCode: number | null;
  readonly districtName: string | null;
  readonly bfe: number | null;
  /** A MultiPolygon in EPSG:25832: the union of its faces. */
  readonly wkb: Uint8Array;
}

interface CopyOfFaces extends CopyRow {
  readonly generation: number;
  readonly published_generation: number | null;
  readonly has_faces: boolean;
}

interface Row extends CopyOfFaces {
  readonly number: string | null;
  readonly district_code: number | null;
  readonly district_name: string | null;
  readonly bfe: number | null;
  /** null: there is no parcel. */
  readonly wkb: Buffer | null;
}

const COPY = sql`s.generation, l.generation as published_generation, ${sql.raw(COPY_COLUMNS)},
      l.unanswered, exists (select from cadastre_source where entity = 'Lodflade') as has_faces`;
const FROM_COPY = sql`from store_state s left join layer_state l on l.layer = 'matrikel'`;

/** Throws when the store does not answer. */
export async function readParcelCopy({ db }: Pick<Store, 'db'>): Promise<StoreCopy> {
  const { rows } = await sql<CopyOfFaces>`select ${COPY} ${FROM_COPY}`.execute(db);
  return copyIn(rows);
}

/** At most `most` parcels. Throws when the store does not answer or the faces cannot be read. */
export async function readParcelsWithin(
  { db }: Pick<Store, 'db'>,
  box: Box,
  most: number,
): Promise<StoreCopy & { readonly rows: readonly TileParcel[] }> {
  const { rows } = await statement(box, most).execute(db);
  return {
    ...copyIn(rows),
    rows: rows.flatMap(({ wkb, ...row }) =>
      wkb === null
        ? []
        : [
            {
              number: row.number,
              districtCode: row.district_code,
              districtName: row.district_name,
              bfe: row.bfe,
              wkb,
            },
          ],
    ),
  };
}

/** Most parcels have one face, which needs no union. */
const PLACE: RawBuilder<unknown> = sql`(
  select ST_AsBinary(case when count(*) = 1 then sound_geometry((array_agg(f.geom))[1], 3)
    else ST_Multi(ST_CollectionExtract(
      ST_UnaryUnion(ST_Collect(sound_geometry(f.geom, 3))), 3)) end, 'NDR')
  from cadastre_face f where f.parcel_id = c.id)`;

function statement({ minX, minY, maxX, maxY }: Box, most: number) {
  return sql<Row>`
    with near as materialized (
      -- First, by the index of the faces: no limit may lead the planner through all parcels.
      select distinct f.parcel_id as id from cadastre_face f
      where f.geom && ST_MakeEnvelope(
        ${minX}::float8, ${minY}::float8, ${maxX}::float8, ${maxY}::float8, 25832)),
    chosen as materialized (
      select p.id, p.number, p.bfe, p.district_id
      from near join cadastre_parcel p on p.id = near.id and p.status = ${IN_FORCE}
      order by p.id
      limit ${most}),
    parcel as (
      select c.id, c.number, c.bfe, d.code as district_code, d.name as district_name, ${PLACE} as wkb
      from chosen c
      left join cadastre_district d on d.id = c.district_id)
    select ${COPY}, parcel.number, parcel.district_code, parcel.district_name, parcel.bfe, parcel.wkb
    ${FROM_COPY}
    left join parcel on true
    order by parcel.id`;
}

function copyIn([first]: readonly CopyOfFaces[]): StoreCopy {
  if (first === undefined) throw new Error('The store has no generation.');
  return {
    generation: first.generation,
    copy: copyOfRow(first),
    publishedGeneration: first.published_generation,
    // Without faces (Lodflade) no parcel has a position.
    isThere: first.has_faces,
  };
}
