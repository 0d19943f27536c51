import { LINE_COLOURS } from '../../layers/line-colours.ts';
import { THEMES } from '../../layers/keys.ts';
import type { LineKey, OwnTiles, Theme } from '../../layers/keys.ts';

type MapLayer = LineKey | Theme | OwnTiles | 'ejendom';

export const COLOURS: Readonly<Record<MapLayer, string>> = {
  ...LINE_COLOURS,
  ...(Object.fromEntries(THEMES.map((theme) => [theme, '#7a7a7a'])) as Record<Theme, string>),
  jordstykker: '#8a6d1f',
  husnumre: '#4b5a63',
  stednavne: '#2b3940',
  ejendom: '#d1495b',
};
