import type { TilePlace } from '../../geo/web-mercator.ts';
import type { SharedSnapshot } from '../layer.ts';
import type { Tags } from './tags.ts';

export interface CutTileTask {
  readonly snapshot: SharedSnapshot;
  readonly place: TilePlace;
}

/** Encoded and compressed; null: too many features. */
export type CutTile = Tile | null;

export interface Tile {
  /** gzip; nothing where the tile is empty. */
  readonly gzipped: Uint8Array;
  /** Before compression; 0: nothing of the layer is in the tile. */
  readonly bytes: number;
}

/** Cuts one tile of given parcels. Worker: `cut-parcels.ts`. */
export interface CutParcelsTask {
  readonly place: TilePlace;
  /** MultiPolygons in EPSG:25832 as concatenated WKB, and the bytes of each. */
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

/** A layer's tiles. Worker: `survey-tiles.ts`. */
export interface SurveyTilesTask {
  readonly snapshot: SharedSnapshot;
}
