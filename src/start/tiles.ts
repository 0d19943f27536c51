/** Tiles and files of layers, over what is in memory. */
import { cacheByBytes } from '../kernel/cache.ts';
import { LIMITS } from '../kernel/limits.ts';
import { createTiles } from '../lookups/tiles.ts';
import type { Tiles, TilesDeps } from '../lookups/tiles.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';

export function composeTiles(
  memory: LayerLoader,
  given: Pick<TilesDeps, 'catalogue' | 'clock' | 'onExpired' | 'threads'>,
): Tiles {
  return createTiles({
    ...given,
    memory: () => memory.current,
    fileOf: (layer) => memory.pathInService(layer, 'fgb'),
    cut: cacheByBytes(
      LIMITS.kort.cacheBytes,
      ({ gzipped }) => LIMITS.kort.cachedTileBytes + gzipped.byteLength,
    ),
  });
}
