import type { RowSource } from '../../../snapshot/row-feed.ts';

/**
 * Builds the index of place names in a thread. Lists: PLACE_LISTS. Worker: `build-place-index.ts`.
 */
export interface BuildPlacesTask extends RowSource {
  readonly version: number;
  readonly paths: { readonly index: string; readonly shapes: string };
}
