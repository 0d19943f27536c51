import { mirroredOf } from '../../../layers/catalogue.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import type { Coverage } from '../../../layers/coverage.ts';
import type { LiveStatus } from '../../../core/live-status.ts';
import type { DataAge, LayerHealth, LayerStatus, ServiceStatus } from '../../../ops/freshness.ts';

export const HEALTH = {
  fresh: 'frisk',
  delayed: 'forsinket',
  failed: 'fejlet',
  missing: 'mangler',
} as const satisfies Record<LayerHealth, string>;

export function renderStatus(
  { generation, layers, memory }: ServiceStatus,
  catalogue: Catalogue,
  live: readonly LiveStatus[],
) {
  const ofLayers = layers.map((layer) => ({
    ...renderLayer(layer),
    i_hukommelse: isHeld(layer.layer, memory),
    daekning: renderCoverage(mirroredOf(catalogue, layer.layer).coverage),
  }));
  return { generation, lag: [...ofLayers, ...live.map(renderLive)] };
}

/** null: never in memory. */
function isHeld(layer: LayerStatus['layer'], memory: ServiceStatus['memory']): boolean | null {
  if (memory?.held.includes(layer) === true) return true;
  return memory?.missing.includes(layer) === true ? false : null;
}

/** null: the country. */
export function renderCoverage(coverage: Coverage | null | undefined) {
  if (coverage === null || coverage === undefined) return null;
  const kommuner = coverage.kind === 'municipalities' ? [...coverage.codes] : null;
  return { navn: coverage.name, kommuner };
}

function renderLive({ count: rowCount, coverage, ...status }: LiveStatus) {
  const data = { madeAt: null, ageS: null, limitS: status.limitS };
  return {
    ...renderLayer({ ...status, rowCount, data }),
    i_hukommelse: null,
    daekning: renderCoverage(coverage),
  };
}

export function renderData({ madeAt, ageS, limitS }: DataAge) {
  return { data_fra: madeAt, data_alder_s: ageS, data_frist_s: limitS };
}

type Rendered = Omit<LayerStatus, 'layer' | 'register' | 'heldSince'> & {
  readonly layer: LayerStatus['layer'] | LiveStatus['layer'];
  readonly register: string;
};

function renderLayer(layer: Rendered) {
  return {
    lag: layer.layer,
    register: layer.register,
    synket: layer.syncedAt,
    alder_s: layer.ageS,
    frist_s: layer.limitS,
    ...renderData(layer.data),
    tilstand: HEALTH[layer.state],
    antal: layer.rowCount,
    version: layer.version,
  };
}
