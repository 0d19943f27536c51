/** A sync in a process of its own, for tests that kill it. Says each phase, and how many pages it has read. */
import { openStore } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { prepareNext } from '../../sync/dated/prepare.ts';
import { syncLayer } from '../../sync/run.ts';
import { createWorkers } from '../../workers/pool.ts';
import { victimSettings } from './crash-kit.ts';

export interface SyncProcessSettings {
  /** `carry-out` what is dated, `prepare` it, or an ordinary run. */
  readonly work: 'sync' | 'carry-out' | 'prepare';
  readonly layer: LayerId;
  readonly upstreamUrl: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The time it is; null: what the system says. */
  readonly nowMs: number | null;
}

const { work, layer, upstreamUrl, databaseUrl, dataDir, nowMs } =
  victimSettings() as SyncProcessSettings;
const isDated = work !== 'sync';
const deps = {
  store: await openStore({ databaseUrl, dataDir, purpose: 'sync', log: console }),
  workers: createWorkers({ threads: 1 }),
  wfs: createWfsClient(),
  catalogue: sampleCatalogue(upstreamUrl, { files: isDated }),
  keys: isDated ? {} : { cadastre: SAMPLE_API_KEY, dagi: SAMPLE_API_KEY },
  clock: nowMs === null ? systemClock : { nowMs: () => nowMs },
  log: console,
};
if (work === 'prepare') {
  process.send?.('prepare');
  await prepareNext(deps, new AbortController().signal);
} else {
  await syncLayer(deps, layer, {
    ...(isDated ? { trigger: 'dated', dated: true } : { trigger: 'command' }),
    onProgress: ({ phase, pages }) => process.send?.(`${phase} page ${pages}`),
  });
}
process.send?.('over');
