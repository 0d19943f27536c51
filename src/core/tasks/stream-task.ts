/** Long answers of the store, sent in pieces by a thread with its own connections. */
import type { MessagePort } from 'node:worker_threads';
import type { Store, StoreOptions } from '../../db/connect.ts';

export type StoreAddress = Pick<StoreOptions, 'databaseUrl' | 'dataDir'>;

export interface LongAnswer<H> {
  /** Known before the first piece; cloned back. */
  readonly head: H;
  readonly text: AsyncIterable<string>;
}

/** The default export of a maker's module; `given` is cloned into the thread. */
export type MakeAnswer<T, H> = (
  store: Pick<Store, 'db'>,
  given: T,
) => LongAnswer<H> | Promise<LongAnswer<H>>;

export interface Maker<T, H> {
  readonly file: URL;
  /** Never set: names the types. */
  readonly make?: MakeAnswer<T, H>;
}

export interface StreamAsked<T, H> {
  readonly maker: Maker<T, H>;
  readonly given: T;
  readonly isPacked: boolean;
  /**
   * Pieces that the thread may be ahead of the reader; absent: few. Of an answer with a limit, all
   * of them.
   */
  readonly ahead?: number;
}

export interface StreamTask extends Omit<StreamAsked<unknown, unknown>, 'maker' | 'ahead'> {
  readonly store: StoreAddress;
  readonly href: string;
  readonly ahead: number;
  /**
   * Transferred: `StreamMessage` out, a credit in for each piece taken. Closed: the reader has
   * gone.
   */
  readonly port: MessagePort;
}

/** null: the end. A text: why it failed. */
export type StreamMessage = { readonly head: unknown } | ArrayBuffer | string | null;

export const STREAM_LIMITS = {
  /** Most bytes of a piece before it is packed: sending 64 kB delays no lookup. */
  pieceBytes: 64 * 1024,
  packedBytes: 256 * 1024,
  ahead: 4,
  /** Streams of a thread at a time, more than extracts have places, and the connections they share. */
  streams: 16,
  connections: 2,
  /** How often a thread shows that it is not blocked. */
  beatMs: 1_000,
  idleMs: 60_000,
  /** Small: halves full collections. */
  youngMiB: 2,
} as const;
