/** The thread that builds the address index, as whoever has the rows asks for it. */
import type { RowSource } from '../../../snapshot/row-feed.ts';

/** Build the address index from lines of text; lists: INDEX_LISTS. Worker: `build-address-index.ts`. */
export interface BuildIndexTask extends RowSource {
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly path: string | null;
}
