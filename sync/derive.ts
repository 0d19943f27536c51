/**
 * What follows from a layer's features: zones of the lines, pieces, regions and places of the areas. What
 * takes long is prepared before the publishing transaction, so that readers hardly wait.
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { applyZones, prepareZones } from '../src/registers/building-lines/zones.ts';
import { assignRegions, cutNewAreas, describeDistricts } from '../src/registers/dagi/derive.ts';
import { POSTAL } from '../src/layers/keys.ts';
import type { AreaId } from '../src/layers/keys.ts';
import type { Run } from './deps.ts';

export interface Derived {
  /**
   * Called inside the transaction, after the rows are in place. Gives the other layers whose rows it
   * has changed.
   */
  readonly apply: (trx: Store['db']) => Promise<readonly AreaId[]>;
}

/** Works out what follows from the stage of a run. Throws when it cannot be whole. */
export async function derive(store: Store, run: Run): Promise<Derived> {
  const { layer } = run;
  if (layer.register === 'building-lines') {
    const zones = { runId: run.id, layer, signal: run.signal };
    await prepareZones(store.db, zones);
    // Without figures the planner compares every area with every zone member, one by one:
    // 240 s inside the transaction for 60,000 areas, and 4 s with them.
    await sql`analyze stage_zone_member, stage_zone_edge`.execute(store.db);
    return {
      apply: async (trx) => {
        await applyZones(trx, zones);
        return [];
      },
    };
  }
  return {
    apply: async (trx) => {
      await cutNewAreas(trx, layer.id);
      if (layer.id === POSTAL || layer.id === 'kommune') await describeDistricts(trx, layer.id);
      return layer.id === POSTAL ? [] : await assignRegions(trx, layer.id);
    },
  };
}
