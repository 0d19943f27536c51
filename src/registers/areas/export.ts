import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Database } from '../../db/tables.generated.ts';
import type { AreaId } from '../../layers/keys.ts';
import { areasAhead } from './ahead.ts';
import type { AheadVersion } from '../../core/register-layers.ts';

/** Few rows per batch: an area at 1:10,000 may have a million vertices. */
const BATCH_ROWS = 100;

export interface ExportedArea {
  readonly key: string;
  readonly objectId: string;
  readonly standing: 'in_force';
  readonly adopted: true;
  readonly attributes: string;
  readonly areaM2: number;
  readonly wkb: Buffer;
}

/** `db`: a transaction with one snapshot, so that the batches are consistent. */
export function exportAreas(db: Kysely<Database>, theme: AreaId): AsyncGenerator<ExportedArea[]> {
  return exportRows(
    db,
    (after) => sql`select * from area where theme = ${theme} and key > ${after} collate "C"`,
  );
}

export function exportAreasAhead(
  db: Kysely<Database>,
  ahead: AheadVersion,
): AsyncGenerator<ExportedArea[]> {
  return exportRows(
    db,
    (after) => sql`select * from (${areasAhead(ahead)}) r where key > ${after} collate "C"`,
  );
}

async function* exportRows(
  db: Kysely<Database>,
  rowsFrom: (after: string) => RawBuilder<unknown>,
): AsyncGenerator<ExportedArea[]> {
  for (let after = ''; ;) {
    const { rows } = await sql<
      Pick<ExportedArea, 'key' | 'objectId' | 'attributes' | 'areaM2' | 'wkb'>
    >`
      select key, code as "objectId",
        jsonb_build_object('code', code, 'name', name, 'regionCode', region_code)::text
          as attributes,
        ST_Area(geom) as "areaM2", ST_AsBinary(geom, 'NDR') as wkb
      from (${rowsFrom(after)}) given
      order by key collate "C" limit ${BATCH_ROWS}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({ ...row, standing: 'in_force', adopted: true }));
    after = last.key;
  }
}
