/**
 * What the address of the page holds: place, view and layers, so that a link shows what its sender
 * saw. It stands behind `#`, which no browser sends to a server: the service's logs hold no places.
 */
import { isInDenmark } from '../../geo/point.ts';
import { LINE_KEYS, PARCEL_TILES, THEMES, isLineKey, isTheme } from '../../layers/keys.ts';
import type { LineKey, Theme } from '../../layers/keys.ts';
import { parseCoordinates } from './coordinates.ts';
import type { Place } from './coordinates.ts';

export type MapLayer = LineKey | Theme | typeof PARCEL_TILES | 'ejendom';

/** Everything that can be drawn, in the order of the legend. */
export const MAP_LAYERS: readonly MapLayer[] = [...LINE_KEYS, ...THEMES, PARCEL_TILES, 'ejendom'];

/** Where the map looks. */
export interface Look {
  readonly lon: number;
  readonly lat: number;
  readonly zoom: number;
}

export interface PageState {
  /** null: nothing has been asked. */
  readonly place: Place | null;
  /** Id of the address that was searched for; null: the place was named in another way. */
  readonly address: string | null;
  /** null: as the page likes it. */
  readonly look: Look | null;
  readonly layers: readonly MapLayer[];
  /** Whether the operator's background map is shown, where there is one. */
  readonly background: boolean;
}

/** What is shown unless the address says otherwise: the ten lines, municipalities to find one's way by, and the property. */
export const DEFAULT_LAYERS: readonly MapLayer[] = [...LINE_KEYS, 'kommune', 'ejendom'];

/** No address of ours is longer. */
const MOST_CHARS = 600;
const ZOOM = { min: 5, max: 20 };
const VIEW_DECIMALS = 6;
/** Of an address in DAR. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the part behind `#`. What cannot be read is left at its default: a link is never an error. */
export function readState(hash: string): PageState {
  const text = hash.replace(/^#/, '');
  const said = new URLSearchParams(text.length > MOST_CHARS ? '' : text);
  return {
    place: placeIn(said),
    address: ID.exec(said.get('adresse') ?? '')?.[0] ?? null,
    look: lookIn(said.get('se')),
    layers: layersIn(said.get('lag')),
    background: said.get('baggrund') !== '0',
  };
}

/** The part behind `#`, with it. */
export function writeState({ place, address, look, layers, background }: PageState): string {
  const parts: string[] = [];
  if (place?.srid === 4326) parts.push(`lon=${place.lon}`, `lat=${place.lat}`);
  if (place?.srid === 25832) parts.push(`x=${place.x}`, `y=${place.y}`);
  if (place !== null && address !== null) parts.push(`adresse=${address}`);
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

function placeIn(said: URLSearchParams): Place | null {
  const [first, second] = said.has('lon') ? (['lon', 'lat'] as const) : (['x', 'y'] as const);
  const parsed = parseCoordinates(`${said.get(first) ?? ''} ${said.get(second) ?? ''}`);
  return parsed.kind === 'place' ? parsed.place : null;
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

/** Whether the layer is one of the ten lines, a theme of DAGI, all parcels, or the property's. */
export function kindOf(layer: MapLayer): 'line' | 'theme' | 'parcels' | 'property' {
  if (isLineKey(layer)) return 'line';
  if (layer === PARCEL_TILES) return 'parcels';
  return isTheme(layer) ? 'theme' : 'property';
}
