/** The service over a mirrored sample with its memory rung, wired as the program wires it. */
import { BARE_SERVICES } from './bare-services.ts';
import { testLookups } from './lookups.ts';
import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../src/http/app.ts';
import { LAYERS } from '../../src/registers.ts';
import { createLayerLoader } from '../../src/memory/layer-loader.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import type { Store } from '../../src/db/connect.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { Catalogue } from '../../src/layers/catalogue.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { openMirroredBench } from './mirrored-store.ts';
import type { TestStore } from './store.ts';
import { openSyncBench, sharedWorkers } from './sync-bench.ts';
import type { SyncBench } from './sync-bench.ts';

export interface MemoryParts {
  readonly store?: Pick<Store, 'db'>;
  readonly catalogue?: Catalogue;
  readonly workers?: Pick<Workers, 'buildSnapshot'>;
}

export interface MemoryBench extends SyncBench {
  readonly workers: Workers;
  readonly said: string[];
  readonly expired: MirrorId[];
  newDirectory(): string;
  /** One with the files of every layer as it was when this was first asked for: built once. */
  filledDirectory(): Promise<string>;
  /** A memory rung of its own, not started. */
  memoryIn(directory: string, parts?: MemoryParts): LayerLoader;
  /** The lookups of a service; `memory` null: `LOOKUPS=store`. */
  lookups(memory: LayerLoader | null, store?: Store, clock?: Clock): ReturnType<typeof testLookups>;
  /** The edge over those lookups, at another time where a clock is given. Close it yourself. */
  edge(memory: LayerLoader | null, store?: Store, clock?: Clock): Promise<FastifyInstance>;
}

/**
 * Opens with every layer mirrored, as a store that is given must have it; for `beforeAll`. Workers of the test's own are
 * not closed.
 */
export async function openMemoryBench(
  given?: TestStore,
  workers: Workers = sharedWorkers(),
): Promise<MemoryBench> {
  const bench = given === undefined ? await openMirroredBench() : await openSyncBench(given);
  const said: string[] = [];
  const expired: MirrorId[] = [];
  const onExpired = (layer: MirrorId) => void expired.push(layer);
  const wfs = createWfsClient({ clock: bench.deps.clock });
  const { catalogue, clock, keys } = bench.deps;
  const lookups: MemoryBench['lookups'] = (memory, store = bench.store, at = clock) =>
    testLookups(
      { catalogue, keys, clock: at, searchRadiusM: 500, onExpired },
      { store, workers, wfs, memory },
    );
  const newDirectory = () => mkdtempSync(join(bench.store.dataDir, 'snapshots-'));
  const memoryIn: MemoryBench['memoryIn'] = (directory, parts = {}) =>
    createLayerLoader({
      sources: LAYERS,
      clock,
      store: parts.store ?? bench.store,
      workers: parts.workers ?? workers,
      catalogue: parts.catalogue ?? catalogue,
      directory,
      storeName: 'test',
      log: (message) => said.push(message),
    });
  let built: Promise<string> | undefined;
  const build = async () => {
    const directory = newDirectory();
    await memoryIn(directory).refresh();
    return directory;
  };
  return {
    ...bench,
    workers,
    said,
    expired,
    newDirectory,
    filledDirectory: async () => {
      const directory = newDirectory();
      cpSync(await (built ??= build()), directory, { recursive: true });
      return directory;
    },
    memoryIn,
    lookups,
    edge: (memory, store = bench.store, at = clock) =>
      buildApp(
        {
          ...BARE_SERVICES,
          catalogue,
          ...lookups(memory, store, at),
          status: () => readStatus(store, catalogue, clock.nowMs()),
        },
        { publicUrl: 'https://geo.example', logLevel: 'silent', newRequestId: () => 'fresh-id' },
      ),
    close: async () => {
      await wfs.close();
      await bench.close();
    },
  };
}
