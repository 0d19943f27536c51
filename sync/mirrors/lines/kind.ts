import { sql } from 'kysely';
import { applyZones, prepareZones } from '../../../src/registers/lines/zones.ts';
import type { LineLayer } from '../../../src/layers/catalogue.ts';
import type { FeatureKind } from '../features/kind.ts';

export const LINES: FeatureKind = {
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
  sourceRows: ({ received }) => received,
  dates: null,
};
