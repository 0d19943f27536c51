/** A whole sync for one test file: a real store, real threads, the sample upstream, a clock to turn. */
import { createWfsClient } from '../../src/wfs/client.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import type { SampleUpstream } from '../../sample/server.ts';
import type { Publication, RunOutcome, SyncDeps } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncOptions } from '../../sync/run.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { createWorkers } from '../../workers/pool.ts';
import { openTestStore } from './store.ts';
import type { TestStore } from './store.ts';

export interface SyncBench {
  readonly store: TestStore;
  readonly upstream: SampleUpstream;
  readonly deps: SyncDeps;
  readonly published: readonly Publication[];
  advance(ms: number): void;
  sync(layer: LayerId, options?: Partial<SyncOptions>): Promise<RunOutcome>;
  /** Every layer from the sample, regions first. Throws when one does not publish. */
  syncAll(): Promise<void>;
  close(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

let pool: Workers | undefined;

/** Of all benches of a process: its thread has loaded and compiled its tasks. Not to be closed. */
export const sharedWorkers = (): Workers => (pool ??= createWorkers({ threads: 1 }));

/** Open in `beforeAll`, close in `afterAll`. A store that is given is closed too. */
export async function openSyncBench(given?: TestStore): Promise<SyncBench> {
  const [store, upstream] = await Promise.all([
    given ?? openTestStore({ purpose: 'sync' }),
    startSampleUpstream(),
  ]);
  const wfs = createWfsClient({ wait: () => Promise.resolve() });
  const published: Publication[] = [];
  let turnedMs = 0;
  const deps: SyncDeps = {
    store,
    workers: sharedWorkers(),
    wfs,
    catalogue: sampleCatalogue(upstream.url),
    keys: { cadastre: SAMPLE_API_KEY, dagi: SAMPLE_API_KEY },
    clock: { nowMs: () => Date.now() + turnedMs },
    log: silent,
    onPublished: (publication) => published.push(publication),
  };
  const sync = (layer: LayerId, options: Partial<SyncOptions> = {}) =>
    syncLayer(deps, layer, { trigger: 'command', ...options });
  return {
    store,
    upstream,
    deps,
    published,
    advance: (ms) => {
      turnedMs += ms;
    },
    sync,
    syncAll: async () => {
      for (const layer of LAYER_IDS) {
        const outcome = await sync(layer);
        if (outcome.state === 'published' || outcome.state === 'unchanged') continue;
        throw new Error(`${layer}: ${JSON.stringify(outcome)}`);
      }
    },
    close: async () => {
      await Promise.all([upstream.close(), wfs.close()]);
      await store.close();
    },
  };
}
