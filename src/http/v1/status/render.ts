/** Writes freshness (D14). */
import { mirroredOf } from '../../../layers/catalogue.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import type { Coverage } from '../../../layers/coverage.ts';
import type { LiveStatus } from '../../../core/live-status.ts';
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
  live: readonly LiveStatus[],
) {
  const ofLayers = layers.map((layer) => ({
    ...renderLayer(layer),
    daekning: renderCoverage(mirroredOf(catalogue, layer.layer).coverage),
  }));
  return { generation, lag: [...ofLayers, ...live.map(renderLive)] };
}

/** null: the country. */
export function renderCoverage(coverage: Coverage | null | undefined) {
  if (coverage === null || coverage === undefined) return null;
  const kommuner = coverage.kind === 'municipalities' ? [...coverage.codes] : null;
  return { navn: coverage.name, kommuner };
}

function renderLive(status: LiveStatus) {
  const { layer, register, syncedAt, ageS, limitS, state, count, version, coverage } = status;
  return {
    lag: layer,
    register,
    synket: syncedAt,
    alder_s: ageS,
    frist_s: limitS,
    tilstand: HEALTH[state],
    antal: count,
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
