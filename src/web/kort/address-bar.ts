/** What the address of the map page holds beside the place: the view and the layers. */
import { isInDenmark } from '../../geo/point.ts';
import { LINE_KEYS, OWN_TILES, THEMES, isLineKey, isOwnTiles, isTheme } from '../../layers/keys.ts';
import type { LineKey, OwnTiles, Theme } from '../../layers/keys.ts';
import { askedIn, partsOf, saidIn } from '../shared/place-address.ts';
import type { Asked } from '../shared/place-address.ts';

export type MapLayer = LineKey | Theme | OwnTiles | 'ejendom';

/** In the order of the legend. */
export const MAP_LAYERS: readonly MapLayer[] = [...LINE_KEYS, ...THEMES, ...OWN_TILES, 'ejendom'];

export interface Look {
  readonly lon: number;
  readonly lat: number;
  readonly zoom: number;
}

export interface PageState extends Asked {
  /** null: as the page likes it. */
  readonly look: Look | null;
  readonly layers: readonly MapLayer[];
  /** Whether the operator's background map is shown, where there is one. */
  readonly background: boolean;
}

/** Shown by default. */
export const DEFAULT_LAYERS: readonly MapLayer[] = [
  ...([...LINE_KEYS, 'kommune', 'ejendom'] as const),
  ...OWN_TILES,
];

const ZOOM = { min: 5, max: 20 };
const VIEW_DECIMALS = 6;

/** Reads the part behind `#`; what is invalid keeps its default. */
export function readState(hash: string): PageState {
  const said = saidIn(hash);
  return {
    ...askedIn(said),
    look: lookIn(said.get('se')),
    layers: layersIn(said.get('lag')),
    background: said.get('baggrund') !== '0',
  };
}

/** The part behind `#`, with it. */
export function writeState({ look, layers, background, ...asked }: PageState): string {
  const parts = [...partsOf(asked)];
  if (look !== null) {
    const { lon, lat, zoom } = look;
    parts.push(`se=${lon.toFixed(VIEW_DECIMALS)},${lat.toFixed(VIEW_DECIMALS)},${zoom.toFixed(2)}`);
  }
  const shown = MAP_LAYERS.filter((layer) => layers.includes(layer));
  const usual = MAP_LAYERS.filter((layer) => DEFAULT_LAYERS.includes(layer));
  if (shown.join() !== usual.join()) parts.push(`lag=${shown.join(',')}`);
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
  const named = new Set(text.split(','));
  return MAP_LAYERS.filter((layer) => named.has(layer));
}

/** `quiet`: tiles of a register's tables. */
export function kindOf(layer: MapLayer): 'line' | 'theme' | 'quiet' | 'property' {
  if (isLineKey(layer)) return 'line';
  if (isOwnTiles(layer)) return 'quiet';
  return isTheme(layer) ? 'theme' : 'property';
}
