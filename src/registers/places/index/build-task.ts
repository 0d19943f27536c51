/** The thread that builds the index of place names, as whoever has the rows asks for it. */
import type { RowSource } from '../../../snapshot/row-feed.ts';

/** Lists: PLACE_LISTS. Worker: `build-place-index.ts`. */
export interface BuildPlacesTask extends RowSource {
  readonly version: number;
  /** Where to write it, and the geometries it tells of. */
  readonly paths: { readonly index: string; readonly shapes: string };
}
