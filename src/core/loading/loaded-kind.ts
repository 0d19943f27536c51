import type { CopyInMemory } from '../../ops/health.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { Published, PublishedVersion } from '../../layers/published-copy.ts';
import type { LoaderView } from '../memory-index.ts';
import type { PreparedVersions } from './prepared-versions.ts';
import type { FileEnding, VersionFiles } from './version-files.ts';

export interface Loaded<M extends MirrorId, T> {
  readonly wanted: PublishedVersion<M>;
  readonly generation: number;
  readonly buffer: SharedArrayBuffer;
  readonly opened: T;
}

export interface LoadedKind<M extends MirrorId, T, S, P extends Published<M> = Published<M>> {
  readonly mirrors: readonly M[];
  readonly name: string;
  readonly manifest: string;
  readonly ending: FileEnding;
  /** Whether an older version stays where the published one cannot be loaded or built. */
  readonly keepsOlder: boolean;
  /** Throws when the store does not answer. */
  readonly readPublished: () => Promise<P>;
  /** Called in all threads; absent: only `serve` uses what the store reported. */
  readonly learned?: (published: P) => void;
  /** Builds and saves it; null when the store has moved on. */
  readonly build: (
    wanted: PublishedVersion<M>,
    options: { readonly files: VersionFiles; readonly signal: AbortSignal },
  ) => Promise<SharedArrayBuffer | null>;
  /** Throws for a damaged buffer or another version. `verified`: its checksum was checked. */
  readonly open: (
    wanted: PublishedVersion<M>,
    buffer: SharedArrayBuffer,
    options: { readonly verified: boolean },
  ) => T;
  readonly prepared?: Pick<
    PreparedVersions<M, never, T>,
    'prepareOne' | 'take' | 'isDue' | 'layers'
  >;
  /** The service and its jobs wait until it is open. */
  readonly isAwaited: boolean;
  readonly copiesOf: (serving: S) => readonly CopyInMemory[];
  readonly recordsOf?: (serving: S) => NonNullable<LoaderView['records']>;
  /** `refused` of `published`: as last reported by the store. */
  readonly serve: (loaded: ReadonlyMap<M, Loaded<M, T>>, published: Published<M>) => S | null;
}
