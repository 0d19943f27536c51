import type { CopyInMemory } from '../ops/health.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { SharedFiles } from '../snapshot-store/shared-files.ts';
import type { Announcer, Follower } from '../threads/feed.ts';

export interface MemoryIndex {
  readonly isOpen: boolean;
  readonly hasLooked: boolean;
  /** The service and its jobs wait until it is open. */
  readonly isAwaited: boolean;
  start(): void;
  nudge(): void;
  view(): LoaderView;
  copies(): readonly CopyInMemory[];
  stop(): Promise<void>;
}

export interface LoaderBase {
  readonly directory: string;
  /** Identifies the store, so that another store's files are not used. Not secret. */
  readonly storeName: string;
  readonly log: (message: string) => void;
  /** Files that others built; null or absent: all are built here. */
  readonly shared?: SharedFiles | null | undefined;
  readonly threads?: MemoryThreads;
}

/** The first thread loads and announces; the others follow. Absent: there is one. */
export type MemoryThreads = { readonly first: Announcer } | { readonly followed: Follower };

export interface LoaderView<M extends MirrorId = MirrorId> {
  readonly generation: number | null;
  readonly layers: readonly M[];
  readonly missing: readonly M[];
  readonly suspended: readonly M[];
  readonly bytes: number;
  readonly records?: { readonly records: number; readonly written: number } | null;
}
