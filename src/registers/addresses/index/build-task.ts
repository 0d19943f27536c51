import type { RowSource } from '../../../snapshot/row-feed.ts';

/**
 * Builds the address index from text lines; lists: INDEX_LISTS. Worker: `build-address-index.ts`.
 */
export interface BuildIndexTask extends RowSource {
  readonly version: number;
  /** File to write; null: none. */
  readonly path: string | null;
}
