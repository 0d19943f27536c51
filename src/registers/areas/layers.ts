/** The areas as layers in memory: current rows, those of the next instant, and their audit. */
import { AREA_IDS, POSTAL, THEMES, isAreaId } from '../../layers/keys.ts';
import type { AreaId } from '../../layers/keys.ts';
import { compareAreas } from '../../core/held/snapshot-differences.ts';
import type { RegisterLayers } from '../../core/register-layers.ts';
import { contentDigest, leadsTo, readAhead, readContent, regionsDigest } from './ahead.ts';
import { assignRegions, cutAhead, cutNewAreas, describeDistricts } from './derive.ts';
import { exportAreas, exportAreasAhead } from './export.ts';
import { readAreaGeometry, readAreas, readCoveringAreas } from './store.ts';

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
        return id === POSTAL ? [] : await assignRegions(trx, id);
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
