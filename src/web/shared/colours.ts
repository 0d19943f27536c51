import type { LineKey, OwnTiles, Theme } from '../../layers/keys.ts';

type MapLayer = LineKey | Theme | OwnTiles | 'ejendom';

export const COLOURS: Readonly<Record<MapLayer, string>> = {
  strandbeskyttelse: '#1f6fb2',
  klitfredning: '#b8860b',
  soe: '#2a9bc9',
  aa: '#3b7dd8',
  skov: '#2e7d32',
  kirke: '#8e44ad',
  fortidsminde: '#a0522d',
  dige: '#8d6e63',
  natur: '#6a994e',
  vandloeb: '#00838f',
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
