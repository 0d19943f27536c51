/** What a register answers from in memory, as the service opens, watches and shows it. */
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
  /** Whether it has looked for what to answer from, and has what it found. */
  readonly isOpen: boolean;
  /** Whether the service and its jobs wait until it is open. */
  readonly isAwaited: boolean;
  start(): void;
  /** Looks at once: something was published here. */
  nudge(): void;
  view(): LoaderView;
  /** Its copies in service, as freshness shows them. */
  copies(): readonly CopyInService[];
  stop(): Promise<void>;
}

export interface LoaderBase {
  /** Where files of versions lie. */
  readonly directory: string;
  /** Which store this is, to tell its files from another's. Not secret. */
  readonly storeName: string;
  readonly log: (message: string) => void;
}

/** What is held in memory, for operators. */
export interface LoaderView<M extends MirrorId = MirrorId> {
  /** null: nothing is in memory yet. */
  readonly generation: number | null;
  /** In service from memory. */
  readonly layers: readonly M[];
  /** Taken out of service; the store answers instead. */
  readonly suspended: readonly M[];
  /** Bytes of shared memory in service. */
  readonly bytes: number;
  /** Of a file of records: how many it holds, and how many were written anew for its version. */
  readonly records?: { readonly records: number; readonly written: number } | null;
}
