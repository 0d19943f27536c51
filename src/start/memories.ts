import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { StoreNames } from '../db/store-name.ts';
import type { MemoryIndex } from '../core/memory-index.ts';
import { Memories, openMemories } from '../core/register.ts';
import type { Workers } from '../core/tasks/workers.ts';
import { createLayerLoader } from '../memory/layer-loader.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { LAYERS, REGISTERS } from '../registers.ts';
import { openSnapshotStore } from '../snapshot-store/open.ts';
import type { SharedFiles } from '../snapshot-store/shared-files.ts';
import { memoryThreadsOf } from './thread-role.ts';
import type { ThreadRole } from './thread-role.ts';

interface MemoryOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly sources: { readonly catalogue: Catalogue };
  readonly log: Logger;
  readonly role?: ThreadRole;
}

/** None with `LOOKUPS=store`. */
export interface OpenedMemories {
  readonly memory: LayerLoader | null;
  readonly memories: Memories;
  /** The layers first. */
  readonly indexes: readonly MemoryIndex[];
  /** Shared with other fronts; null: none, or another thread's. */
  readonly shared: SharedFiles | null;
}

/** null: SNAPSHOT_STORE is not set, or another thread's. */
export function openShared({ config, clock, log, role }: MemoryOptions): SharedFiles | null {
  if (config.snapshotStore === null || config.lookups === 'store' || role?.kind === 'other')
    return null;
  const say = (message: string) => log.warn({ component: 'memory' }, message);
  return openSnapshotStore(config.snapshotStore, {
    ...{ ...config, nowMs: () => clock.nowMs(), log: say },
  });
}

export function openMemory(
  { config, clock, sources, log, role }: MemoryOptions,
  {
    store,
    workers,
    storeNames: [storeName],
    shared,
  }: {
    readonly store: Store;
    readonly workers: Workers;
    readonly storeNames: StoreNames;
    readonly shared: SharedFiles | null;
  },
): OpenedMemories {
  if (config.lookups === 'store') {
    return { memory: null, memories: new Memories(), indexes: [], shared: null };
  }
  const say = (message: string) => log.warn({ component: 'memory' }, message);
  const common = {
    ...{ store, workers, clock, shared },
    log: say,
    directory: join(config.dataDir, 'snapshots'),
    storeName,
    ...(role && memoryThreadsOf(role)),
  };
  const memory = createLayerLoader({ ...common, catalogue: sources.catalogue, sources: LAYERS });
  const memories = openMemories(REGISTERS, common);
  return { memory, memories, indexes: [memory, ...memories.all], shared };
}
