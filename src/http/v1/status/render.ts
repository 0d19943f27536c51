/** Freshness in the words of D14. */
import { TERRAIN } from '../../../layers/terrain.ts';
import type { TerrainStatus } from '../../../lookups/terrain.ts';
import type { LayerHealth, LayerStatus, ServiceStatus } from '../../../ops/freshness.ts';

export const HEALTH = {
  fresh: 'frisk',
  delayed: 'forsinket',
  failed: 'fejlet',
  missing: 'mangler',
} as const satisfies Record<LayerHealth, string>;

export function renderStatus(
  { generation, layers }: ServiceStatus,
  terrain: TerrainStatus | null = null,
) {
  const ofTerrain = terrain === null ? [] : [renderTerrain(terrain)];
  return { generation, lag: [...layers.map(renderLayer), ...ofTerrain] };
}

/** No copy, but sources that are looked at: their last look, and how many tiles there are. */
function renderTerrain({ syncedAt, ageS, limitS, state, tiles, version }: TerrainStatus) {
  return {
    lag: TERRAIN,
    register: 'terrain',
    synket: syncedAt,
    alder_s: ageS,
    frist_s: limitS,
    tilstand: HEALTH[state],
    antal: tiles,
    version,
  };
}

function renderLayer(layer: LayerStatus) {
  return {
    lag: layer.layer,
    register: layer.register,
    synket: layer.syncedAt,
    alder_s: layer.ageS,
    frist_s: layer.limitS,
    tilstand: HEALTH[layer.state],
    antal: layer.rowCount,
    version: layer.version,
  };
}
