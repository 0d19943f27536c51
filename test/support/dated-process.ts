/** A change carried out in a process of its own, for tests that kill it. Says each phase. */
import { openStore } from '../../src/db/connect.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { prepareNext } from '../../sync/dated/prepare.ts';
import { syncLayer } from '../../sync/run.ts';
import { createWorkers } from '../../workers/pool.ts';

const { NOW_MS, UPSTREAM_URL = '', STORE_URL, STORE_DIR = '', WORK = 'carry-out' } = process.env;
const store = await openStore({
  databaseUrl: STORE_URL === '' || STORE_URL === undefined ? null : STORE_URL,
  dataDir: STORE_DIR,
  purpose: 'sync',
  log: console,
});
const deps = {
  store,
  workers: createWorkers({ threads: 1 }),
  wfs: createWfsClient(),
  catalogue: sampleCatalogue(UPSTREAM_URL, { files: true }),
  keys: {},
  clock: { nowMs: () => Number(NOW_MS) },
  log: console,
};
if (WORK === 'prepare') {
  console.log('prepare');
  await prepareNext(deps, new AbortController().signal);
} else {
  await syncLayer(deps, 'region', {
    ...{ trigger: 'dated', dated: true },
    onProgress: ({ phase }) => console.log(phase),
  });
}
console.log('over');
