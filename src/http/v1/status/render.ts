/** Freshness in the words of D14. */
import type { LayerHealth, LayerStatus, ServiceStatus } from '../../../ops/freshness.ts';

export const HEALTH = {
  fresh: 'frisk',
  delayed: 'forsinket',
  failed: 'fejlet',
  missing: 'mangler',
} as const satisfies Record<LayerHealth, string>;

export function renderStatus({ generation, layers }: ServiceStatus) {
  return { generation, lag: layers.map(renderLayer) };
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
