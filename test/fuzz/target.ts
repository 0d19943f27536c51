/** The composed service over a mirrored sample, listening, with keys whose limits nobody meets. */
import { addresses } from '../../src/registers/addresses/register.ts';
import { join } from 'node:path';
import { compose } from '../../src/start/service.ts';
import { loadConfig } from '../../src/config.ts';
import { createLogging } from '../../src/kernel/logger.ts';
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
  const service = await compose({
    config: loadConfig({
      DATA_DIR: store.dataDir,
      ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
      OPERATOR_TOKEN: 'opdigtet-driftsnoegle-til-proeven',
      PLANS_FILE: join(import.meta.dirname, '../../bench/plans.json'),
      THREADS: '1',
      LOG_LEVEL: 'silent',
    }),
    clock: deps.clock,
    sources: deps,
    log: createLogging({ level: 'silent' }).log,
    onExpired: () => undefined,
  });
  const keys = {
    live: await mintKey(service, { permission: 'jobs' }),
    test: await mintKey(service, { permission: 'jobs', environment: 'test' }),
  };
  const base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  // What answers from the index alone is to be asked as well.
  const addressMemory = service.memories.of(addresses);
  while (addressMemory?.current === null) await addressMemory.refresh();
  return {
    base,
    keys,
    close: async () => {
      await service.close();
      await bench.close();
    },
  };
}
