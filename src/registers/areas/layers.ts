import { AREA_IDS, POSTAL, THEMES, isAreaId, isTheme } from '../../layers/keys.ts';
import type { AreaId } from '../../layers/keys.ts';
import { compareAreas } from '../../core/held/snapshot-differences.ts';
import type { RegisterLayers, AheadVersion } from '../../core/register-layers.ts';
import {
  contentDigest,
  leadsTo,
  readAhead,
  readContent,
  regionsDigest,
  areasAhead,
} from './ahead.ts';
import { assignRegions, cutAhead, cutNewAreas, describeDistricts } from './derive.ts';
import { readAreaGeometry, readAreas, readCoveringAreas } from './store.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../../db/connect.ts';

export const AREAS_IN_MEMORY: RegisterLayers = {
  layers: AREA_IDS,
  source: 'DAGI',
  async *rows(trx, layer, list) {
    if (list === 'features' && isAreaId(layer)) yield* exportAreas(trx, layer);
  },
  derive: (_, { layer }) => {
    const id = layer.id as AreaId;
    return Promise.resolve({
      apply: async (trx) => {
        await cutNewAreas(trx, id);
        if (id === POSTAL || id === 'kommune') await describeDistricts(trx, id);
        return isTheme(id) ? await assignRegions(trx, id) : [];
      },
    });
  },
  ahead: {
    ...{ read: readAhead, content: readContent, leadsTo, rows: exportAreasAhead },
    ...{ derive: cutAhead, digest: contentDigest, regionsDigest },
  },
  landOf: async (store, municipalities) => {
    const { areas } = await readAreas(store, 'kommune', municipalities);
    const read = await Promise.all(areas.map((area) => readAreaGeometry(store, area)));
    return read.filter((wkb) => wkb !== null);
  },
  async compare(set, store, { pointsIn }) {
    const points = pointsIn(THEMES);
    const ours = points.length === 0 ? null : set.readCoveringAreas(points);
    return ours && compareAreas(points, ours, await readCoveringAreas(store, points));
  },
};

/** A single area at 1:10,000 may have a million vertices. */
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

/** `db`: a transaction with one snapshot, so that batches are consistent. */
export function exportAreas(db: Db, theme: AreaId): AsyncGenerator<ExportedArea[]> {
  return exportRows(
    db,
    (after) => sql`select * from area where theme = ${theme} and key > ${after} collate "C"`,
  );
}

export function exportAreasAhead(db: Db, ahead: AheadVersion): AsyncGenerator<ExportedArea[]> {
  return exportRows(
    db,
    (after) => sql`select * from (${areasAhead(ahead)}) r where key > ${after} collate "C"`,
  );
}

async function* exportRows(
  db: Db,
  rowsFrom: (after: string) => RawBuilder<unknown>,
): AsyncGenerator<ExportedArea[]> {
  for (let after = ''; ;) {
    const { rows } = await sql<ExportedArea>`
      select key, code as "objectId", 'in_force' as standing, true as adopted,
        jsonb_build_object('code', code, 'name', name, 'regionCode', region_code)::text
          as attributes,
        ST_Area(geom) as "areaM2", ST_AsBinary(geom, 'NDR') as wkb
      from (${rowsFrom(after)}) given
      order by key collate "C" limit ${BATCH_ROWS}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.key;
  }
}
