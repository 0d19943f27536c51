import type { ThreadTask } from '../core/tasks/thread-task.ts';
import type { KeyKind } from './kinds.ts';

export interface PackTask {
  readonly kind: KeyKind;
  readonly objects: readonly (string | number)[];
}

/** `bad`: position of the first invalid object; null: none. */
export interface Packed {
  readonly keys: Uint8Array;
  readonly bad: number | null;
}

export const PACK_OBJECTS: ThreadTask<PackTask, Packed> = {
  file: new URL('./pack.thread.ts', import.meta.url),
};

export interface CompareTask {
  readonly changed: Uint8Array;
  readonly lists: readonly Uint8Array[];
}

/** Positions of changed keys, by list. */
export const COMPARE_KEYS: ThreadTask<CompareTask, readonly Uint32Array[]> = {
  file: new URL('./compare.thread.ts', import.meta.url),
  give: ({ lists }) => lists,
};
