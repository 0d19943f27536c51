/** The composed service over a mirrored sample, listening, with keys whose limits nobody meets. */
import { addresses } from '../../src/registers/addresses/register.ts';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { startThreaded } from '../support/threaded-service.ts';
import { mintKey } from '../support/keys.ts';
import type { TestStore } from '../support/store-templates.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { FuzzKeys } from './requests.ts';

export interface Target {
  readonly base: string;
  readonly keys: FuzzKeys;
  close(): Promise<void>;
}

/** Takes the store over; mirrors the addresses into it, and the layers where they are not there. */
export async function openTarget(
  own: TestStore,
  { isMirrored }: { readonly isMirrored: boolean },
): Promise<Target> {
  const bench = await openAddressBench(own);
  if (!isMirrored) await bench.syncAll();
  await bench.sync();
  const { deps, store } = bench;
  const config = loadConfig({
    DATA_DIR: store.dataDir,
    ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
    OPERATOR_TOKEN: 'opdigtet-driftsnoegle-til-proeven',
    PLANS_FILE: join(import.meta.dirname, '../../bench/plans.json'),
    ...{ THREADS: '1', REQUEST_THREADS: process.env['REQUEST_THREADS'] ?? '1' },
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' },
  });
  const { log } = createLogging({ level: 'silent' });
  const started = await startThreaded(
    { config, log, clock: deps.clock, sources: deps, onExpired: () => undefined },
    { sampleUrl: bench.upstreamUrl, log },
  );
  const { service, base } = started;
  const keys = {
    live: await mintKey(service, { permission: 'jobs' }),
    test: await mintKey(service, { permission: 'jobs', environment: 'test' }),
  };
  // What answers from the index alone is to be asked as well.
  const addressMemory = service.memories.of(addresses);
  while (addressMemory?.current === null) await addressMemory.refresh();
  return {
    base,
    keys,
    close: async () => {
      await started.close();
      await bench.close();
    },
  };
}
