/** Conditions (D223) are as the server writes them into the page. */
import { LINE_NAMES, THEMES } from '../../layers/keys.ts';
import { THEME_WORDS } from '../../layers/words.ts';
import { COLOURS } from '../shared/colours.ts';
import { isConditionLayer } from './address-bar.ts';
import type { ConditionLayer, MapLayer } from './address-bar.ts';

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

/** Danish in both languages, as what is drawn has it. */
const NAMES: Readonly<Record<string, string>> = {
  ...LINE_NAMES,
  ...Object.fromEntries(THEMES.map((theme) => [theme, THEME_WORDS[theme].da])),
  jordstykker: 'Alle jordstykker',
  husnumre: 'Husnumre og vejnavne',
  stednavne: 'Stednavne',
  ejendom: 'Ejendommens jordstykker',
};

export function nameOf(layer: MapLayer): string {
  return (isConditionLayer(layer) ? CONDITIONS.get(layer)?.name : NAMES[layer]) ?? layer;
}

export function colourOf(layer: MapLayer): string {
  if (isConditionLayer(layer)) return CONDITIONS.get(layer)?.colour ?? COLOURS.kommune;
  return COLOURS[layer];
}
