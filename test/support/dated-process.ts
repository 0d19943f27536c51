/** A change carried out in a process of its own, for tests that kill it. Says each phase. */
import { openStore } from '../../src/db/connect.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { syncLayer } from '../../sync/run.ts';
import { createWorkers } from '../../workers/pool.ts';

const { NOW_MS, UPSTREAM_URL = '', STORE_URL, STORE_DIR = '' } = process.env;
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
    catalogue: sampleCatalogue(UPSTREAM_URL, { files: true }),
    keys: {},
    clock: { nowMs: () => Number(NOW_MS) },
    log: console,
  },
  'region',
  { trigger: 'dated', dated: true, onProgress: ({ phase }) => console.log(phase) },
);
console.log('over');
