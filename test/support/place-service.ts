/** The edge over the sample's mirrored place names, from the index in memory and from the store. */
import { storeLookups } from './lookups.ts';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { TableRegister } from '../../src/layers/register.ts';
import { createPlaceLoader } from '../../src/registers/places/load.ts';
import { composeNameTiles } from '../../src/registers/places/name-tiles.ts';
import { syncLayer } from '../../sync/run.ts';
import { keptAccess } from '../edge/access.ts';
import { doorParts } from '../edge/dawa-edge.ts';
import { memoryApp } from '../edge/edge.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { sharedWorkers } from './sync-bench.ts';

export type PlaceService = Awaited<ReturnType<typeof openPlaceService>>;

/**
 * Open in `beforeAll`, close in `afterAll`. Nothing is mirrored yet. `register`: what takes the place of the
 * sample's, at its address.
 */
export async function openPlaceService(
  register: ((upstreamUrl: string, sample: TableRegister) => TableRegister) | null = null,
) {
  const bench = await openAddressBench();
  const { store } = bench;
  const { registers } = bench.deps.catalogue;
  const stednavne = register?.(bench.upstreamUrl, registers.stednavne) ?? registers.stednavne;
  const deps = {
    ...bench.deps,
    catalogue: { ...bench.deps.catalogue, registers: { ...registers, stednavne } },
  };
  const workers = sharedWorkers();
  const loader = createPlaceLoader({
    store,
    workers,
    directory: mkdtempSync(join(store.dataDir, 'indexes-')),
    storeName: 'test',
    log: (message) => console.error(message),
  });
  const access = keptAccess({
    svc_live_all: { keyId: 'key_all' },
    svc_live_some: { permission: 'restricted:bbr' },
    svc_live_only: { permission: 'restricted:stednavne' },
  });
  const { catalogue, clock } = deps;
  const { places } = storeLookups(store, { catalogue, clock }, { places: loader });
  const { places: storedPlaces } = storeLookups(store, { catalogue, clock });
  const parcelTiles = composeNameTiles({
    ...{ store, workers, catalogue, clock },
    ...{ isInvented: false, onExpired: () => undefined },
  });
  const door = doorParts();
  const dawa = { ...door, lookups: { ...door.lookups, places } };
  const app = await memoryApp({ access, places, parcelTiles, dawa });
  return {
    ...bench,
    ...{ app, access, loader, deps },
    /** By memory and the store behind it, as `app` answers; and by the store alone. */
    ...{ places, storedPlaces },
    /** Nothing is in memory before `loader.refresh()`. */
    sync: (mirror: 'stednavne' | 'kommune') => syncLayer(deps, mirror, { trigger: 'command' }),
    get: (path: string, secret = 'svc_live_all') =>
      app.inject({ url: path, headers: { authorization: `Bearer ${secret}` } }),
    close: async () => {
      await app.close();
      await loader.stop();
      await bench.close();
    },
  };
}
