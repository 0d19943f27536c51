import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../kernel/failures.ts';
import type { SessionBatch } from './protocol.ts';

/** The default export of `file` takes a `T` and returns an `R`. */
export interface ThreadTask<T, R> {
  readonly file: URL;
  /** Arrays of the task whose buffers are transferred. */
  readonly give?: (task: T) => readonly Uint8Array[];
  readonly ports?: (task: T) => readonly MessagePort[];
  /** Low priority, in threads of their own: panning a map delays no lookup. */
  readonly isOfMaps?: boolean;
  /** Never set: names the type of the result. */
  readonly result?: R;
}

/** Runs in threads that do nothing else: `file` serves sessions (session.ts). */
export interface BatchTask<T extends SessionBatch, R> {
  readonly file: URL;
  readonly transfer: (batch: T) => readonly ArrayBuffer[];
  readonly full: () => Failure;
  /** Never set: names the type of the result. */
  readonly result?: R;
}
