/** The areas as layers in memory: their rows, those of the next instant, and what holds them against the store. */
import { AREA_IDS, THEMES, isAreaId } from '../../layers/keys.ts';
import { compareAreas } from '../../memory/snapshot-differences.ts';
import type { RegisterLayers } from '../../mirror/register-layers.ts';
import { leadsTo, readAhead, readContent } from './ahead.ts';
import { exportAreas, exportAreasAhead } from './export.ts';
import { readCoveringAreas } from './store.ts';

export const AREAS_IN_MEMORY: RegisterLayers = {
  layers: AREA_IDS,
  async *rows(trx, layer, list) {
    if (list === 'features' && isAreaId(layer)) yield* exportAreas(trx, layer);
  },
  ahead: { read: readAhead, content: readContent, leadsTo, rows: exportAreasAhead },
  async compare(set, store, { pointsIn }) {
    const points = pointsIn(THEMES);
    const ours = points.length === 0 ? null : set.readCoveringAreas(points);
    return ours && compareAreas(points, ours, await readCoveringAreas(store, points));
  },
};
