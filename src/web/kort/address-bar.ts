import { isInDenmark } from '../../geo/point.ts';
import { LINE_KEYS, OWN_TILES, THEMES, isLineKey, isOwnTiles, isTheme } from '../../layers/keys.ts';
import type { LineKey, OwnTiles, Theme } from '../../layers/keys.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import type { Asked } from '../shared/place-address.ts';

export type ConditionLayer = `forhold_${string}`;
export type MapLayer = LineKey | Theme | OwnTiles | ConditionLayer | 'ejendom';

/** In the order of the legend; conditions follow. */
export const MAP_LAYERS = [...LINE_KEYS, ...THEMES, ...OWN_TILES, 'ejendom'] as const;

export interface Look {
  readonly lon: number;
  readonly lat: number;
  readonly zoom: number;
}

export interface PageState extends Asked {
  /** null: as the page likes it. */
  readonly look: Look | null;
  readonly layers: readonly MapLayer[];
  readonly background: boolean;
}

export const DEFAULT_LAYERS: readonly MapLayer[] = [
  ...([...LINE_KEYS, 'kommune', 'ejendom'] as const),
  ...OWN_TILES,
];

const ZOOM = { min: 5, max: 20 };
const VIEW_DECIMALS = 6;

/** What is invalid keeps its default. */
export function readState(hash: string): PageState {
  const said = saidIn(hash);
  return {
    ...askedIn(said),
    look: lookIn(said.get('se')),
    layers: layersIn(said.get('lag')),
    background: said.get('baggrund') !== '0',
  };
}

export function writeState({ look, layers, background, ...asked }: PageState): string {
  const parts = [...partsOf(asked)];
  if (look !== null) {
    const { lon, lat, zoom } = look;
    parts.push(`se=${lon.toFixed(VIEW_DECIMALS)},${lat.toFixed(VIEW_DECIMALS)},${zoom.toFixed(2)}`);
  }
  const shown = inOrder(layers);
  if (shown.join() !== inOrder(DEFAULT_LAYERS).join()) parts.push(`lag=${shown.join(',')}`);
  if (!background) parts.push('baggrund=0');
  return `#${parts.join('&')}`;
}

function lookIn(text: string | null): Look | null {
  const [lon, lat, zoom, ...more] = (text ?? '').split(',').map(Number);
  if (lon === undefined || lat === undefined || zoom === undefined || more.length > 0) return null;
  const fits = isInDenmark({ lon, lat }) && zoom >= ZOOM.min && zoom <= ZOOM.max;
  return fits ? { lon, lat, zoom } : null;
}

function layersIn(text: string | null): readonly MapLayer[] {
  if (text === null) return DEFAULT_LAYERS;
  return inOrder(text.split(','));
}

function inOrder(layers: readonly string[]): readonly MapLayer[] {
  const others = [...new Set(layers.filter(isConditionLayer))].toSorted();
  return [...MAP_LAYERS.filter((layer) => layers.includes(layer)), ...others];
}

export function isConditionLayer(layer: string): layer is ConditionLayer {
  return /^forhold_[a-z0-9_]+$/.test(layer);
}

/** `quiet`: tiles of a register's tables. */
export function kindOf(layer: MapLayer): 'line' | 'condition' | 'theme' | 'quiet' | 'property' {
  if (isLineKey(layer)) return 'line';
  if (isConditionLayer(layer)) return 'condition';
  if (isOwnTiles(layer)) return 'quiet';
  return isTheme(layer) ? 'theme' : 'property';
}

/** Drawn as areas that have no name of their own. */
export function isFilled(layer: MapLayer): boolean {
  return ['line', 'condition'].includes(kindOf(layer));
}
