import type { Server } from 'node:net';
import { keyStateOf, mintFirstKey } from '../account/first-key.ts';
import { compose } from './service.ts';
import type { Composed } from './service.ts';
import { runProgram } from './program.ts';
import type { Program } from './program.ts';
import { openStore } from '../db/connect.ts';
import type { Store } from '../db/connect.ts';
import type { Downloads } from '../downloads/client.ts';
import { greeting } from './greeting.ts';
import { clockFrom, systemClock } from '../kernel/clock.ts';
import { sentenceOf, troubleLog } from '../kernel/log.ts';
import { announceAddress, serviceAddress, urlOf } from '../kernel/service-address.ts';
import { preflight } from './preflight.ts';
import { openArchive, openDownloads, openSources } from '../../sync/open.ts';
import type { Sources } from '../../sync/open.ts';
import { firstThread, listen, startThreads } from './request-threads.ts';
import type { ServiceThreads } from './request-threads.ts';
import { syncOperations } from '../../sync/operations.ts';
import { isOperated } from '../http/options.ts';
import { placeWithLines } from './example-place.ts';
import { SWITCHES_PATH } from '../../sample/switches.ts';
import { Reach } from '../../sync/reach.ts';
import { startSync } from '../../sync/start.ts';
import type { SyncService } from '../../sync/start.ts';

process.exitCode = await runProgram(serve);

interface Running {
  sync?: SyncService;
  store?: Store;
  downloads?: Downloads;
  threads?: ServiceThreads | null;
}

async function serve({ config, log, stopped, greet, progress }: Program): Promise<void> {
  await preflight(config);
  const endProgress = progress(
    config.databaseUrl === null
      ? `Opening the store in ${config.dataDir} (the first start makes it, in up to a minute)`
      : 'Starting',
  );
  const clock = clockFrom(config.trialClockMs);
  const sources = await openSources(config, config);
  const running: Running = {};
  const role = firstThread(config, () => running.threads ?? null);
  const service = await compose({
    config,
    clock,
    sources,
    log,
    role,
    onExpired: (layer) => running.sync?.requestSync(layer, 'expired'),
    ...(config.sync && { operations: syncOperations(() => running.sync, sources) }),
  });
  const isShared = await listen(service.app, { config, role, log });
  const port = portOf(service.app.server.address());
  if (isShared) {
    const { sampleUrl } = sources;
    running.threads = startThreads({ config, service, role, port, sampleUrl, log });
  }
  const withdraw = await announceAddress(config.dataDir, serviceAddress(config, port));
  endProgress();
  await greetNewcomer({ config, greet }, { store: service.store, port }, sources.sampleUrl);
  let isStopping = false;
  service.migrated
    .then(() => (config.sync ? beginSync({ config, log }, { service, sources, running }) : null))
    .catch((error: unknown) => {
      if (isStopping) return;
      const setting = config.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL';
      log.error({ err: error }, `${setting}: the store cannot be used: ${sentenceOf(error)}`);
    });
  await stopped;
  isStopping = true;
  await withdraw();
  await Promise.all([service.app.close(), running.threads?.stop()]);
  await running.sync?.stop();
  await running.downloads?.close();
  await running.store?.close();
  await service.close();
  await sources.close();
}

async function beginSync(
  { config, log }: Pick<Program, 'config' | 'log'>,
  {
    service,
    sources: { catalogue, keys },
    running,
  }: { readonly service: Composed; readonly sources: Sources; readonly running: Running },
): Promise<void> {
  const { workers, wfs, indexes } = service;
  const clock = clockFrom(config.trialClockMs);
  running.downloads = openDownloads(config, clock);
  running.store = await openStore({ ...config, purpose: 'sync', log: troubleLog(log, 'store') });
  running.sync = startSync({
    store: running.store,
    workers,
    wfs,
    downloads: running.downloads,
    catalogue,
    keys,
    clock,
    log,
    reach: new Reach(),
    retention: config.retention,
    isReplicated: config.dawa !== null,
    archive: openArchive(config, { keys, log }),
    onPublished: () => {
      for (const index of indexes) index.nudge();
    },
  });
}

function portOf(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port.');
  return address.port;
}

/** An embedded store gets a key at its first start; elsewhere operators create accounts. */
async function greetNewcomer(
  { config, greet }: Pick<Program, 'config' | 'greet'>,
  { store, port }: Pick<Composed, 'store'> & { readonly port: number },
  sampleUrl: string | null,
): Promise<void> {
  const key = store.kind === 'embedded' ? await mintFirstKey(store, systemClock) : null;
  greet(
    ...greeting({
      url: urlOf(config.host, port),
      sources: config.sources,
      place: placeWithLines(config.sources),
      key,
      keys: await keyStateOf(store, systemClock),
      isEmbedded: store.kind === 'embedded',
      isOperated: isOperated(config),
      isLoopbackTrial: config.webhookLoopback,
      switchesUrl: sampleUrl === null ? null : `${sampleUrl}${SWITCHES_PATH}`,
    }),
  );
}
