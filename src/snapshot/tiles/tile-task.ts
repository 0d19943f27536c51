/** The threads that cut tiles, as whoever answers with them asks. */
import type { TilePlace } from '../../geo/web-mercator.ts';
import type { SharedSnapshot } from '../layer.ts';

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

/** Where a layer's tiles are. Worker: `survey-tiles.ts`. */
export interface SurveyTilesTask {
  readonly snapshot: SharedSnapshot;
}
