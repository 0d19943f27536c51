/**
 * A whole service over a filled store, syncs included, inside a measured process, whose clock is turned
 * when the parent says so: to a change that its store has known ahead.
 */
import { addresses } from '../src/registers/addresses/register.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/db/connect.ts';
import { LAYER_IDS } from '../src/layers/keys.ts';
import type { KnownPlace } from '../src/layers/source.ts';
import { readAhead } from '../src/registers/areas/ahead.ts';
import { compose } from '../src/start/service.ts';
import { startSync } from '../sync/start.ts';
import { mintKey } from '../test/support/keys.ts';
import { catalogueWith } from './dated-plan.ts';
import { compositionOf } from './harness/composition.ts';
import type { Settings } from './harness/composition.ts';
import type { Cleanup } from './harness/store.ts';

export interface DatedOptions {
  readonly settings: Settings;
  readonly knownPlaces: readonly KnownPlace[];
}

export interface DatedService {
  readonly port: number;
  readonly key: string;
}

let aheadMs = 0;
const clock = { nowMs: () => Date.now() + aheadMs };

let isPrepared = (): Promise<boolean> => Promise.resolve(false);

/** Resolves when the versions of the next instant are worked out and in memory. */
export async function untilPrepared(): Promise<void> {
  while (!(await isPrepared())) await sleep(100);
}

/** From here on it is `nowMs`, and time goes on. */
export function turnClock(nowMs: number): void {
  aheadMs = nowMs - Date.now();
}

/** Up when every layer and the addresses are in memory. */
export async function startDated(
  cleanup: Cleanup,
  { settings, knownPlaces }: DatedOptions,
): Promise<DatedService> {
  const catalogue = catalogueWith(knownPlaces);
  const composition = compositionOf({ JOBS: 'off', ...settings });
  const { config, log } = composition;
  const service = await compose({ ...composition, clock, sources: { catalogue, keys: {} } });
  cleanup.defer(() => service.close());
  const { memory, memories, app, workers, wfs } = service;
  const isLoaded = (): boolean =>
    memory?.current?.layers.size === LAYER_IDS.length && memories.of(addresses)?.current !== null;
  while (!isLoaded()) await sleep(20);
  const store = await openStore({ ...config, purpose: 'sync', log: console });
  cleanup.defer(() => store.close());
  const sync = startSync({
    ...{ store, workers, wfs, catalogue, clock, log, keys: {} },
    onPublished: () => memory?.nudge(),
  });
  cleanup.defer(() => sync.stop());
  isPrepared = async () => {
    const { length } = await readAhead(store.db);
    return length > 0 && memory?.prepared.length === length;
  };
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('Not on a port.');
  return { port: address.port, key: await mintKey(service) };
}
