/** Layers in answer order: the conditions, then the lines. */
import type { Catalogue, ConditionLayer, LineLayer } from '../../layers/catalogue.ts';
import { CONDITION_IDS } from '../../layers/conditions/index.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import { LINE_SOURCES } from '../lines/sources.ts';

export type AskedLayer = ConditionLayer | LineLayer;

export interface Described {
  readonly key: string;
  readonly layer: AskedLayer;
  readonly source: { readonly lag: string; readonly wfs: string; readonly kreditering: string };
}

export function describedLayers({ conditions, lines }: Catalogue): readonly Described[] {
  const own = CONDITION_IDS.flatMap((id) => conditions[id] ?? []);
  return [...own, ...LINE_KEYS.map((key) => lines[key])].map((layer) => ({
    key: keyOf(layer),
    layer,
    source: {
      lag: layer.source.typeName,
      wfs: layer.source.url,
      kreditering: layer.register === 'forhold' ? layer.condition.credit : LINE_SOURCES,
    },
  }));
}

function keyOf(layer: AskedLayer): string {
  return layer.register === 'forhold' ? layer.condition.key : layer.id;
}
