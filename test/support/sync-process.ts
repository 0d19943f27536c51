/** A sync in a process of its own, for tests that kill it. Says each page on standard output. */
import { openStore } from '../../src/db/connect.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { syncLayer } from '../../sync/run.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { createWorkers } from '../../workers/pool.ts';

const { SYNC_LAYER, UPSTREAM_URL = '', STORE_URL, STORE_DIR = '' } = process.env;
const store = await openStore({
  databaseUrl: STORE_URL === '' || STORE_URL === undefined ? null : STORE_URL,
  dataDir: STORE_DIR,
  purpose: 'sync',
  log: console,
});
await syncLayer(
  {
    store,
    workers: createWorkers({ threads: 1 }),
    wfs: createWfsClient(),
    catalogue: sampleCatalogue(UPSTREAM_URL),
    keys: { cadastre: SAMPLE_API_KEY, dagi: SAMPLE_API_KEY },
    clock: systemClock,
    log: console,
  },
  SYNC_LAYER as LayerId,
  {
    trigger: 'command',
    onProgress: ({ phase, pages }) => {
      console.log(`${phase} page ${pages}`);
    },
  },
);
