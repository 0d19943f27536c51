import { LINE_COLOURS } from '../../layers/line-colours.ts';
import type { LineKey, OwnTiles, Theme } from '../../layers/keys.ts';

type MapLayer = LineKey | Theme | OwnTiles | 'ejendom';

export const COLOURS: Readonly<Record<MapLayer, string>> = {
  ...LINE_COLOURS,
  region: '#7a7a7a',
  kommune: '#7a7a7a',
  sogn: '#7a7a7a',
  retskreds: '#7a7a7a',
  politikreds: '#7a7a7a',
  opstillingskreds: '#7a7a7a',
  jordstykker: '#8a6d1f',
  husnumre: '#4b5a63',
  stednavne: '#2b3940',
  ejendom: '#d1495b',
};
