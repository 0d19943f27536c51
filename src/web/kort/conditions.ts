/** Conditions (D223), as the server writes them into the page. */
import { COLOURS } from '../shared/colours.ts';
import { isConditionLayer } from './address-bar.ts';
import type { ConditionLayer, MapLayer } from './address-bar.ts';
import { LAYER_NAMES } from './words.ts';

export interface ConditionGroup {
  readonly name: Readonly<Record<'da' | 'en', string>>;
  readonly colour: string;
  readonly layers: readonly (readonly [layer: ConditionLayer, name: string])[];
}

export const CONDITION_GROUPS = JSON.parse(
  document.body.dataset['forhold'] ?? '[]',
) as readonly ConditionGroup[];

const CONDITIONS = new Map(
  CONDITION_GROUPS.flatMap(({ colour, layers }) =>
    layers.map(([layer, name]) => [layer, { name, colour }] as const),
  ),
);

/** Danish in both languages. */
export function nameOf(layer: MapLayer): string {
  if (isConditionLayer(layer)) return CONDITIONS.get(layer)?.name ?? layer;
  return LAYER_NAMES[layer];
}

export function colourOf(layer: MapLayer): string {
  if (isConditionLayer(layer)) return CONDITIONS.get(layer)?.colour ?? COLOURS.kommune;
  return COLOURS[layer];
}
