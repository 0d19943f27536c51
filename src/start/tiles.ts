/** Tiles and files of layers, over what is in memory; tiles of parcels, over the store. */
import { cacheByBytes } from '../kernel/cache.ts';
import { LIMITS } from '../kernel/limits.ts';
import { createTiles } from '../lookups/tiles.ts';
import type { Tiles, TilesDeps } from '../lookups/tiles.ts';
import { createParcelTiles } from '../registers/cadastre/parcel-tiles.ts';
import type { ParcelTiles, ParcelTilesDeps } from '../registers/cadastre/parcel-tiles.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import type { Store } from '../db/connect.ts';
import { readParcelCopy, readParcelsWithin } from '../registers/cadastre/tiles.ts';
import type { Tile } from '../snapshot/tiles/tile-task.ts';

export function composeTiles(
  memory: LayerLoader,
  given: Pick<TilesDeps, 'catalogue' | 'clock' | 'onExpired' | 'threads'>,
): Tiles {
  return createTiles({
    ...given,
    memory: () => memory.current,
    fileOf: (layer) => memory.pathInService(layer, 'fgb'),
    cut: cacheByBytes(LIMITS.kort.cacheBytes, bytesKept),
  });
}

export function composeParcelTiles(
  store: Store,
  {
    threads,
    ...given
  }: Pick<ParcelTilesDeps, 'catalogue' | 'clock' | 'onExpired'> & {
    readonly threads: Pick<ParcelTilesDeps, 'cutParcels'>;
  },
): ParcelTiles {
  return createParcelTiles({
    ...given,
    cutParcels: (task) => threads.cutParcels(task),
    readCopy: () => readParcelCopy(store),
    readWithin: (box, most) => readParcelsWithin(store, box, most),
    cut: cacheByBytes(LIMITS.kort.parcels.cacheBytes, bytesKept),
  });
}

function bytesKept({ gzipped }: Tile): number {
  return LIMITS.kort.cachedTileBytes + gzipped.byteLength;
}
