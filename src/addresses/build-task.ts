/** The thread that builds the book of addresses, as whoever has the rows asks for it. */
import type { RowSource } from '../snapshot/row-feed.ts';

/** Build the book of addresses from lines of text; lists: BOOK_LISTS. Worker: `build-address-book.ts`. */
export interface BuildBookTask extends RowSource {
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly path: string | null;
}
