/** Freshness in the words of D14. */
import { mirroredOf } from '../../../layers/catalogue.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import type { Coverage } from '../../../layers/coverage.ts';
import { TERRAIN } from '../../../registers/terrain/terrain.ts';
import type { TerrainStatus } from '../../../registers/terrain/lookup.ts';
import type { LayerHealth, LayerStatus, ServiceStatus } from '../../../ops/freshness.ts';

export const HEALTH = {
  fresh: 'frisk',
  delayed: 'forsinket',
  failed: 'fejlet',
  missing: 'mangler',
} as const satisfies Record<LayerHealth, string>;

export function renderStatus(
  { generation, layers }: ServiceStatus,
  catalogue: Catalogue,
  terrain: TerrainStatus | null = null,
) {
  const ofTerrain = terrain === null ? [] : [renderTerrain(terrain)];
  const ofLayers = layers.map((layer) => ({
    ...renderLayer(layer),
    daekning: renderCoverage(mirroredOf(catalogue, layer.layer).coverage),
  }));
  return { generation, lag: [...ofLayers, ...ofTerrain] };
}

/** null: the country. */
export function renderCoverage(coverage: Coverage | null | undefined) {
  if (coverage === null || coverage === undefined) return null;
  const kommuner = coverage.kind === 'municipalities' ? [...coverage.codes] : null;
  return { navn: coverage.name, kommuner };
}

/** No copy, but sources that are looked at: their last look, and how many tiles there are. */
function renderTerrain(status: TerrainStatus) {
  const { syncedAt, ageS, limitS, state, tiles, version, coverage } = status;
  return {
    lag: TERRAIN,
    register: 'terrain',
    synket: syncedAt,
    alder_s: ageS,
    frist_s: limitS,
    tilstand: HEALTH[state],
    antal: tiles,
    version,
    daekning: renderCoverage(coverage),
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
