/** A property from the cadastre alone (D90), in one statement. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../db/connect.ts';
import { isOfOneTable } from '../../db/statement-failures.ts';
import type { ParcelRow } from './parcels.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';

export interface ParcelWithPlace extends ParcelRow {
  readonly bfe: number | null;
  /** The union of its faces in EPSG:25832; null: none. */
  readonly wkb: Buffer | null;
}

export interface CadastreRead {
  readonly generation: number;
  /** Property numbers with unreadable rows (D143); null: unknown number. */
  readonly unread: readonly (string | null)[];
  readonly copy: PublishedCopy | null;
  readonly isKnown: boolean;
  /** For a flat those of the property it is part of. */
  readonly parcels: readonly ParcelWithPlace[];
}

interface Row extends Pick<CadastreRead, 'generation' | 'copy'>, Omit<ParcelWithPlace, 'id'> {
  readonly known: boolean;
  readonly id: number | null;
}

/** Gældende (D53). */
export const IN_FORCE = sql.lit(3);

/** Throws when the store does not answer. Unreadable faces leave parcels without a position. */
export async function readCadastreProperty(
  { db }: Pick<Store, 'db'>,
  bfe: number,
  mostParcels: number,
): Promise<CadastreRead> {
  const asked = { bfe, mostParcels };
  const { rows } = await statement(asked, PLACE)
    .execute(db)
    .catch((error: unknown) => {
      if (!isOfOneTable(error)) throw error;
      return statement(asked, NO_PLACE).execute(db);
    });
  const [first] = rows;
  if (first === undefined) throw new Error('The store has no generation.');
  return {
    generation: first.generation,
    unread: first.copy?.unanswered?.objects ?? [],
    copy: first.copy,
    isKnown: first.known,
    parcels: rows.flatMap((row) => (row.id === null ? [] : [parcelOf(row, row.id)])),
  };
}

const PLACE = sql`(
  select ST_AsBinary(ST_Multi(ST_CollectionExtract(
    ST_UnaryUnion(ST_Collect(sound_geometry(f.geom, 3))), 3)), 'NDR')
  from cadastre_face f where f.parcel_id = p.id)`;
const NO_PLACE = sql`null::bytea`;

function statement(
  { bfe, mostParcels }: { readonly bfe: number; readonly mostParcels: number },
  place: RawBuilder<unknown>,
) {
  return sql<Row>`
    with property as materialized (
      select bfe from cadastre_property where bfe = ${bfe}::bigint and status = ${IN_FORCE}
      union
      select property_bfe from cadastre_flat where bfe = ${bfe}::bigint and status = ${IN_FORCE}
      union
      select bfe from cadastre_foreign_building
      where bfe = ${bfe}::bigint and status = ${IN_FORCE}),
    parcel as (
      select p.id, p.bfe, p.number, d.code as "districtCode", d.name as "districtName", p.area,
        p.municipality_code as "municipalityCode", ${place} as wkb
      from property a
      join cadastre_parcel p on p.bfe = a.bfe and p.status = ${IN_FORCE}
      left join cadastre_district d on d.id = p.district_id
      limit ${mostParcels + 1})
    select s.generation, ${sql.raw(COPY)},
      exists (select from property) as known, parcel.*
    from store_state s
    left join layer_state l on l.layer = 'matrikel'
    left join parcel on true`;
}

function parcelOf(row: Row, id: number): ParcelWithPlace {
  const { bfe, number, districtCode, districtName, area, municipalityCode, wkb } = row;
  return { id, bfe, number, districtCode, districtName, area, municipalityCode, wkb };
}
