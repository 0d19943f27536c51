/** A register's memory index, as the service opens, watches and shows it. */
import type { MirrorId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';

/** A copy that answers from memory. */
export interface CopyInService {
  readonly mirror: MirrorId;
  readonly copy: PublishedCopy;
  readonly generation: number;
  readonly rowCount: number;
}

export interface MemoryIndex {
  /** Whether it has searched for versions to serve and has what it found. */
  readonly isOpen: boolean;
  /** Whether the service and its jobs wait until it is open. */
  readonly isAwaited: boolean;
  start(): void;
  /** Looks at once, because something was published here. */
  nudge(): void;
  view(): LoaderView;
  /** For freshness. */
  copies(): readonly CopyInService[];
  stop(): Promise<void>;
}

export interface LoaderBase {
  /** Directory of version files. */
  readonly directory: string;
  /** Identifies the store, so that another store's files are not used. Not secret. */
  readonly storeName: string;
  readonly log: (message: string) => void;
}

/** Memory contents, for operators. */
export interface LoaderView<M extends MirrorId = MirrorId> {
  /** null: nothing is in memory yet. */
  readonly generation: number | null;
  /** In service from memory. */
  readonly layers: readonly M[];
  /** Taken out of service; the store answers instead. */
  readonly suspended: readonly M[];
  /** Shared memory in service, bytes. */
  readonly bytes: number;
  /** For a file of records: its size, and how many records this version rewrote. */
  readonly records?: { readonly records: number; readonly written: number } | null;
}
