/** The composed service over a mirrored sample, listening, with keys whose limits nobody meets. */
import { addresses } from '../../src/registers/addresses/register.ts';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstThread, listen, startThreads } from '../../src/start/request-threads.ts';
import type { ServiceThreads } from '../../src/start/request-threads.ts';
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
  const config = loadConfig({
    DATA_DIR: store.dataDir,
    ...(store.databaseUrl !== null && { DATABASE_URL: store.databaseUrl }),
    OPERATOR_TOKEN: 'opdigtet-driftsnoegle-til-proeven',
    PLANS_FILE: join(import.meta.dirname, '../../bench/plans.json'),
    ...{ THREADS: '1', REQUEST_THREADS: process.env['REQUEST_THREADS'] ?? '1' },
    ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' },
  });
  const { log } = createLogging({ level: 'silent' });
  let threads: ServiceThreads | null = null;
  const role = firstThread(config, () => threads);
  const service = await compose({
    ...{ config, log, role },
    clock: deps.clock,
    sources: deps,
    onExpired: () => undefined,
  });
  const keys = {
    live: await mintKey(service, { permission: 'jobs' }),
    test: await mintKey(service, { permission: 'jobs', environment: 'test' }),
  };
  await listen(service.app, { config, role, log });
  const { port } = service.app.server.address() as AddressInfo;
  threads = startThreads({ config, service, role, port, sampleUrl: bench.upstreamUrl, log });
  // What answers from the index alone is to be asked as well.
  const addressMemory = service.memories.of(addresses);
  while (addressMemory?.current === null) await addressMemory.refresh();
  while (threads !== null && threads.listening < config.plan.requests - 1) await sleep(20);
  return {
    base: `http://127.0.0.1:${port}`,
    keys,
    close: async () => {
      await Promise.all([service.app.close(), threads?.stop()]);
      await service.close();
      await bench.close();
    },
  };
}
