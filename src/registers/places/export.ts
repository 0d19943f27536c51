import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/tables.generated.ts';
import type { ExportedPlace } from './places.ts';
import { LYING, PLACE_COLUMNS } from './rows.ts';

type Db = Kysely<Database>;

/** Few places per batch: one may have a hundred thousand vertices. */
const PAGE_ROWS = 500;

/** Keeps the table until the transaction ends. Call it first: one replaced later would look empty. */
export async function holdPlaceTable(trx: Db): Promise<void> {
  await sql`lock table place in access share mode`.execute(trx);
}

export async function readMunicipalityNames(
  trx: Db,
): Promise<readonly (readonly [code: string, name: string])[]> {
  const { rows } = await sql<{ code: string; name: string }>`
    select code, min(name) as name from area where theme = 'kommune' group by code
    order by code`.execute(trx);
  return rows.map(({ code, name }) => [code, name]);
}

export async function* exportPlaces(trx: Db): AsyncGenerator<readonly ExportedPlace[], void, void> {
  for (let after = '-1'; ;) {
    const { rows } = await sql<ExportedPlace & { id: string }>`
      select p.id::text as id, ${PLACE_COLUMNS}, ST_AsBinary(p.geom, 'NDR') as wkb
      from (
        select * from place where id > ${after}::bigint and geom is not null
        order by id limit ${PAGE_ROWS}) p
      ${LYING}
      order by p.id`.execute(trx);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
