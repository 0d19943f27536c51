/** What a register states of work that it leaves to threads; the pool knows no more of it. */
import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../kernel/failures.ts';
import type { SessionBatch } from './protocol.ts';

/** A task of the shared threads: the default export of `file` takes a `T` and returns an `R`. */
export interface ThreadTask<T, R> {
  readonly file: URL;
  /** Arrays of the task whose buffers go over to the thread. */
  readonly give?: (task: T) => readonly Uint8Array[];
  /** Ports of the task, which go over too. */
  readonly ports?: (task: T) => readonly MessagePort[];
  /** Of low priority, in threads of their own: whoever pans a map delays no lookup. */
  readonly isOfMaps?: boolean;
  /** Never set: names the type of the result. */
  readonly result?: R;
}

/** Batches in threads that do nothing else: `file` serves sessions (session.ts). */
export interface BatchTask<T extends SessionBatch, R> {
  readonly file: URL;
  /** Memory of a batch that goes over to the thread. */
  readonly transfer: (batch: T) => readonly ArrayBuffer[];
  /** The failure of a batch that may not wait. */
  readonly full: () => Failure;
  /** Never set: names the type of the result. */
  readonly result?: R;
}
