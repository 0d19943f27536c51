import { sql } from 'kysely';
import { firstValue } from '../../db/rows.ts';
import type { Db } from '../../db/connect.ts';
import type { ExportedDistrict, ExportedParcel } from './index/build-parcels.ts';
import { IN_FORCE } from './store.ts';
import { HAS_FACES, placeOf } from './tiles.ts';

export const PARCEL_LISTS = ['districts', 'parcels'] as const;
export type ParcelList = (typeof PARCEL_LISTS)[number];

export interface ParcelDistricts {
  readonly hasFaces: boolean;
  readonly districts: readonly ExportedDistrict[];
}

const PAGE_ROWS = 2_000;

export async function holdParcelTables(trx: Db): Promise<void> {
  await sql`lock table cadastre_district, cadastre_parcel, cadastre_face in access share mode`.execute(
    trx,
  );
}

export async function exportDistricts(trx: Db): Promise<ParcelDistricts> {
  const { rows } = await sql<ExportedDistrict>`
    select id, code, name from cadastre_district order by id`.execute(trx);
  const hasFaces = await firstValue(trx, false)`select ${HAS_FACES} as has_faces`;
  return { hasFaces, districts: rows };
}

type Read = <T>(work: (trx: Db) => Promise<T>) => Promise<T>;

export async function* exportParcels(
  read: Read,
): AsyncGenerator<readonly ExportedParcel[], void, void> {
  for (let after = -1; ;) {
    const { rows } = await read((trx) =>
      sql<ExportedParcel>`
        select p.id, p.number, p.bfe, p.district_id, p.area, p.municipality_code,
          ${placeOf(sql`p.id`)} as wkb
        from (
          select * from cadastre_parcel where id > ${after}::bigint and status = ${IN_FORCE}
          order by id limit ${PAGE_ROWS}) p
        order by p.id`.execute(trx),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
