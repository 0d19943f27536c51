/** The threads that cut tiles, as whoever answers with them asks. */
import type { TilePlace } from '../../geo/web-mercator.ts';
import type { SharedSnapshot } from '../layer.ts';
import type { Tags } from './tags.ts';

/** Cut one tile. Worker: `cut-tile.ts`. */
export interface CutTileTask {
  readonly snapshot: SharedSnapshot;
  readonly place: TilePlace;
}

/** Encoded and compressed; null: it would have more features than a tile may. */
export type CutTile = Tile | null;

export interface Tile {
  /** As gzip; nothing where the tile is empty. */
  readonly gzipped: Uint8Array;
  /** Of the tile before compression; 0: nothing of the layer lies in it. */
  readonly bytes: number;
}

/** Cut one tile of parcels that were read for it. Worker: `cut-parcels.ts`. */
export interface CutParcelsTask {
  readonly place: TilePlace;
  /** MultiPolygons in EPSG:25832 as WKB, one behind the other, and how many bytes each has. */
  readonly wkb: Uint8Array;
  readonly lengths: readonly number[];
  /** What is said of each. */
  readonly tags: readonly Tags[];
}

/** Where a layer's tiles are. Worker: `survey-tiles.ts`. */
export interface SurveyTilesTask {
  readonly snapshot: SharedSnapshot;
}
