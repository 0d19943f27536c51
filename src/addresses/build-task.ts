/** What passes between whoever has the lines of addresses and the thread that builds their index. */
import type { MessagePort } from 'node:worker_threads';
import type { BookList } from '../layers/address-lines.ts';

/**
 * Build the book of addresses from lines that the sender hands over when they are asked for. Worker:
 * `build-address-book.ts`.
 */
export interface BuildBookTask {
  /** Says 'ready', then asks with AskBookLines and is answered with BookLines. Handed over. */
  readonly port: MessagePort;
  /** The sender counts up behind each answer and wakes whoever waits. Shared. */
  readonly answered: Int32Array;
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly path: string | null;
}

/** The next lines of a list; `first`: from its beginning. */
export interface AskBookLines {
  readonly list: BookList;
  readonly first: boolean;
}

/** null: the list has ended. */
export type BookLines =
  { readonly kind: 'lines'; readonly text: string | null } | { readonly kind: 'abort' };
