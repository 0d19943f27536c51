import type { TilePlace } from '../../geo/web-mercator.ts';
import type { SharedSnapshot } from '../layer.ts';
import type { Tags } from './tags.ts';

export interface CutTileTask {
  readonly snapshot: SharedSnapshot;
  readonly place: TilePlace;
}

/** null: too many features. */
export type CutTile = Tile | null;

export interface Tile {
  readonly gzipped: Uint8Array;
  /** Before compression; 0: the tile is empty. */
  readonly bytes: number;
}

/** Worker: `cut.thread.ts` of the cadastre. */
export interface CutAreasTask {
  readonly layer: string;
  readonly place: TilePlace;
  /** MultiPolygons in EPSG:25832, concatenated, and the bytes of each. */
  readonly wkb: Uint8Array;
  readonly lengths: readonly number[];
  readonly tags: readonly Tags[];
}

export interface CutHousesTask {
  readonly place: TilePlace;
  /** EPSG:25832. */
  readonly xy: Float64Array;
  readonly houses: readonly { readonly road: string | null; readonly tags: Tags }[];
}

/** Worker: `survey-tiles.ts`. */
export interface SurveyTilesTask {
  readonly snapshot: SharedSnapshot;
}

/** The store may return a view into a larger buffer. */
export function areasTask(
  layer: string,
  place: TilePlace,
  areas: readonly { readonly wkb: Uint8Array; readonly tags: Tags }[],
): CutAreasTask {
  const lengths = areas.map(({ wkb }) => wkb.length);
  const wkb = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const area of areas) {
    wkb.set(area.wkb, at);
    at += area.wkb.length;
  }
  return { layer, place, wkb, lengths, tags: areas.map(({ tags }) => tags) };
}
