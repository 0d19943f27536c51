/** What is true of a place by what an upstream serves under a fault, told by the independent judge. */
import type { AreaId, LayerId, LineKey } from '../../src/layers/keys.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { FaultSwitches } from '../../sample/fault-plan.ts';
import type { Holdings } from '../../sample/holdings.ts';
import { sourceOf } from '../../sample/hosts.ts';
import { codesAt, covers, edgeDistance, standingOf } from '../support/sample-truth.ts';
import type { Rule } from './matrix-terms.ts';

export interface Served {
  readonly holdings: Holdings;
  readonly layer: LayerId;
  readonly rules: readonly Rule[];
}

export function servedWithin(served: Served & { layer: LineKey }, at: PointUtm32): boolean {
  const place = { x: at.xUtm32, y: at.yUtm32 };
  const isLine = LINE_LAYERS[served.layer].geometry === 'line';
  return servedFeatures(served)
    .filter((feature) => standingOf(feature) === 'in_force')
    .some((feature) =>
      isLine ? edgeDistance(feature, place) <= LIMITS.onLineToleranceM : covers(feature, place),
    );
}

export function servedAreas(served: Served & { layer: AreaId }, at: PointUtm32): readonly string[] {
  return codesAt(servedFeatures(served), served.layer, { x: at.xUtm32, y: at.yUtm32 });
}

/** Rows that count (of areas those of the base scale): of the untouched register, and as served. */
export function rowsServed(served: Served): { readonly before: number; readonly now: number } {
  const counting = (features: readonly SampleFeature[]) =>
    features.filter(({ properties: { skala } }) => skala === undefined || skala === BASE_SCALE);
  return {
    before: counting(served.holdings.features(served.layer)).length,
    now: counting(servedFeatures(served)).length,
  };
}

const BASE_SCALE = '1:10.000';

/** The features of a layer as the faults of a plan leave them, whatever window is asked for. */
export function servedFeatures({ holdings, layer, rules }: Served): readonly SampleFeature[] {
  const switches = new FaultSwitches(rules.map((rule) => ({ ...rule, layer })));
  const { host } = sourceOf(layer);
  const active = switches.take({ host, layer, operation: 'features', asker: null, startIndex: 0 });
  return active.reduce<readonly SampleFeature[]>((features, { fault, context }) => {
    const held = fault.held?.(features, context) ?? features;
    const all = fault.all?.(held, context, NO_QUERY) ?? held;
    return fault.page?.(all, context, { all, query: NO_QUERY }) ?? all;
  }, holdings.features(layer));
}

/** The faults that are judged by what they serve look at features only. */
const NO_QUERY = {} as never;
