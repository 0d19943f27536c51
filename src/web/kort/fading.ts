import VectorTileSource from 'ol/source/VectorTile.js';

/** Whether the reader wants nothing to move. */
export const IS_STILL = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
const FADE_MS = 300;

/** The library's own vector tiles come at once. */
export class FadingSource extends VectorTileSource {
  override getTile(...asked: Parameters<VectorTileSource['getTile']>) {
    const tile = super.getTile(...asked);
    return IS_STILL ? tile : Object.assign(tile, { transition_: FADE_MS });
  }
}
