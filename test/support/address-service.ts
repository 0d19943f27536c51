/** The edge over the sample's mirrored addresses and areas, postal districts among them, from the index in memory or from the store. */
import { BARE_SERVICES } from './bare-services.ts';
import { testLookups } from './lookups.ts';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '../../src/http/app.ts';
import { createAddressLoader } from '../../src/registers/addresses/load.ts';
import type { AddressLoader } from '../../src/registers/addresses/load.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { ReplicationLog } from '../../src/replication/log.ts';
import { numberReplication } from '../../src/replication/number.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import { longAnswersOf } from '../../src/core/tasks/stream-reader.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { openMirroredStore } from './mirrored-store.ts';
import { sharedWorkers } from './sync-bench.ts';

/** The bench has no tiles of the terrain. */
const heightAt = (): Promise<number> => Promise.resolve(12.345);
const COUNTRY = { heightAt, coverage: null, placesCoverage: null, parcelsCoverage: null };

/** Open in `beforeAll`, close in `afterAll`. */
export async function openAddressService() {
  const bench = await openAddressBench(await openMirroredStore('served'));
  const { store, deps } = bench;
  const { catalogue, keys, clock } = deps;
  const workers = sharedWorkers();
  const wfs = createWfsClient({ clock });
  const loader = createAddressLoader({
    store,
    workers,
    directory: mkdtempSync(join(store.dataDir, 'indexes-')),
    storeName: 'test',
    log: (message) => console.error(message),
  });
  await loader.refresh();
  await numberReplication(store);
  const edge = (addressMemory: AddressLoader | null) => {
    const lookups = testLookups(
      { catalogue, keys, clock, searchRadiusM: 500, onExpired: () => undefined },
      { store, workers, wfs, memory: null, indexes: { addresses: addressMemory } },
    );
    return buildApp(
      {
        ...BARE_SERVICES,
        catalogue,
        ...lookups,
        dawa: {
          settings: { host: null, keyless: null, isOpen: false },
          lookups: { ...lookups, ...COUNTRY },
          replication: {
            log: new ReplicationLog(store),
            longAnswers: longAnswersOf(workers, store),
          },
        },
        status: () => readStatus(store, catalogue, clock.nowMs()),
      },
      { publicUrl: 'https://geo.example', logLevel: 'silent', newRequestId: () => 'fresh-id' },
    );
  };
  const [app, slow] = await Promise.all([edge(loader), edge(null)]);
  return {
    ...bench,
    loader,
    /** From the index; and from the store alone, as `LOOKUPS=store` or without an index that can be read. */
    ...{ app, slow },
    close: async () => {
      await Promise.all([app.close(), slow.close(), loader.stop()]);
      await wfs.close();
      await bench.close();
    },
  };
}
