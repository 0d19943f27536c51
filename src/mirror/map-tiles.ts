/** Tiles of a map that a register cuts itself: no layer in memory, but cut from its tables when they are asked for. */
import type { TilePlace } from '../geo/web-mercator.ts';
import type { Tile } from '../snapshot/tiles/tile-task.ts';
import type { Provenance } from '../answers/answer.ts';

/** The copy that tiles are cut from. */
export interface ServedCopy {
  readonly generation: number;
  readonly version: number;
  readonly contentHash: string;
  readonly provenance: Provenance;
}

export interface CutTile {
  readonly tile: Tile;
  /** Of the copy it was cut from. */
  readonly served: ServedCopy;
}

export interface MapTiles {
  /** Its key in addresses of tiles. */
  readonly layer: string;
  readonly name: string;
  readonly attribution: string;
  /** Type by tag. */
  readonly fields: Readonly<Record<string, string>>;
  readonly minZoom: number;
  /** The copy that tiles are cut from now. Throws upstream_unavailable where there is none. */
  served(): Promise<ServedCopy>;
  /** Throws invalid_request for a zoom with no tiles, and for a tile with too much in it. */
  tile(place: TilePlace, served: ServedCopy, holder: string): Promise<CutTile>;
}
