import type { TilePlace } from '../geo/web-mercator.ts';
import type { Tile } from '../snapshot/tiles/tile-task.ts';
import type { Provenance } from '../answers/answer.ts';

export interface ServedCopy {
  readonly generation: number;
  readonly version: number;
  readonly contentHash: string;
  readonly provenance: Provenance;
}

export interface CutTile {
  readonly tile: Tile;
  readonly served: ServedCopy;
}

export interface MapTiles {
  readonly layer: string;
  readonly name: string;
  readonly attribution: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly minZoom: number;
  /** Throws upstream_unavailable where there is no copy. */
  served(): Promise<ServedCopy>;
  /** Throws invalid_request for a zoom without tiles, and for a tile with too many features. */
  tile(place: TilePlace, served: ServedCopy, holder: string): Promise<CutTile>;
}
