import { sql } from 'kysely';
import type { LineLayer } from '../../layers/catalogue.ts';
import { LINE_KEYS, isLineKey } from '../../layers/keys.ts';
import { compareLines } from '../../core/held/snapshot-differences.ts';
import type { RegisterLayers } from '../../core/register-layers.ts';
import { LINE_SOURCES } from './sources.ts';
import { readLines } from './store.ts';
import { applyZones, prepareZones } from './zones.ts';
import type { Db } from '../../db/connect.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { LayerId, LineKey } from '../../layers/keys.ts';
import type { FeatureRecord } from '../../snapshot/layer.ts';

export const LINES_IN_MEMORY: RegisterLayers = {
  layers: LINE_KEYS,
  source: LINE_SOURCES,
  async *rows(trx, layer, list) {
    if (!isLineKey(layer)) return;
    if (list === 'edges') yield* exportZoneEdges(trx, layer);
    else yield* exportFeatures(trx, 'line_feature', { layer, most: LIMITS.exportRows });
  },
  derive: async ({ db }, { id: runId, layer, signal }) => {
    const zones = { runId, layer: layer as LineLayer, signal };
    await prepareZones(db, zones);
    // Without statistics the planner compares every area with every zone member: 240 s inside the
    // transaction for 60,000 areas, and 4 s with them.
    await sql`analyze stage_zone_member, stage_zone_edge`.execute(db);
    return {
      apply: async (trx) => {
        await applyZones(trx, zones);
        return [];
      },
    };
  },
  async compare(set, store, { catalogue, radiusM, pointsIn }) {
    const keys = LINE_KEYS.filter((key) => set.layers.has(key));
    const points = pointsIn(keys);
    if (points.length === 0) return null;
    const question = { points, lines: keys.map((key) => catalogue.lines[key]), radiusM };
    const ours = set.readLines(question);
    return compareLines(question, ours, await readLines(store, question));
  },
};

/** 2D, EPSG:25832. */
export interface ExportedFeature extends FeatureRecord {
  readonly wkb: Buffer;
}

/** `db`: a transaction with one snapshot, so that batches are consistent. */
export async function* exportFeatures(
  db: Db,
  table: 'line_feature' | 'condition_feature',
  { layer, most }: { readonly layer: LayerId; readonly most: number },
): AsyncGenerator<ExportedFeature[]> {
  for (let after = ''; ;) {
    const { rows } = await sql<ExportedFeature>`
      select key, object_id as "objectId", standing, adopted, attributes::text as attributes,
        area_m2 as "areaM2", ST_AsBinary(geom, 'NDR') as wkb
      from ${sql.table(table)} where layer = ${layer} and key > ${after} collate "C"
      order by key collate "C" limit ${most}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.key;
  }
}

export async function* exportZoneEdges(db: Db, layer: LineKey): AsyncGenerator<Buffer[]> {
  for (let after = ''; ;) {
    // Whole zones at a time: a zone's pieces are unordered.
    const { rows } = await sql<{ zone: string; wkb: Buffer }>`
      with page as (
        select zone_key from line_zone
        where layer = ${layer} and zone_key > decode(${after}, 'hex')
        order by zone_key limit ${LIMITS.exportRows}
      )
      select encode(e.zone_key, 'hex') as zone, ST_AsBinary(ST_Collect(e.geom), 'NDR') as wkb
      from line_zone_edge e join page using (zone_key)
      where e.layer = ${layer}
      group by e.zone_key order by e.zone_key`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ wkb }) => wkb);
    after = last.zone;
  }
}
