/** The lines as layers in memory: their rows, and what holds them against the store. */
import { sql } from 'kysely';
import type { LineLayer } from '../../layers/catalogue.ts';
import { LINE_KEYS, isLineKey } from '../../layers/keys.ts';
import { compareLines } from '../../core/held/snapshot-differences.ts';
import type { RegisterLayers } from '../../core/register-layers.ts';
import { exportFeatures, exportZoneEdges } from './export.ts';
import { LINE_SOURCES } from './sources.ts';
import { readLines } from './store.ts';
import { applyZones, prepareZones } from './zones.ts';

export const LINES_IN_MEMORY: RegisterLayers = {
  layers: LINE_KEYS,
  source: LINE_SOURCES,
  async *rows(trx, layer, list) {
    if (!isLineKey(layer)) return;
    yield* list === 'features' ? exportFeatures(trx, layer) : exportZoneEdges(trx, layer);
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
