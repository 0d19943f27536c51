import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { keyStateOf, mintFirstKey } from '../account/first-key.ts';
import { compose } from './service.ts';
import type { Composed } from './service.ts';
import { runProgram } from './program.ts';
import type { Program } from './program.ts';
import type { Config } from '../config.ts';
import { openStore } from '../db/connect.ts';
import type { Store } from '../db/connect.ts';
import type { Downloads } from '../downloads/client.ts';
import { greeting } from './greeting.ts';
import { clockFrom, systemClock } from '../kernel/clock.ts';
import { sentenceOf, troubleLog } from '../kernel/log.ts';
import { announceAddress, serviceAddress, urlOf } from '../kernel/service-address.ts';
import { listenError, preflight } from './preflight.ts';
import { openArchive, openDownloads, openSources } from '../../sync/open.ts';
import type { Sources } from '../../sync/open.ts';
import { mergeEnded } from '../http/thread-report.ts';
import type { EndedThreads, ThreadReport } from '../http/thread-report.ts';
import { Leader } from '../threads/feed.ts';
import { RequestThreads } from '../threads/request-threads.ts';
import { configOfThread } from './thread-config.ts';
import type { RequestThreadSettings } from './thread-config.ts';
import { ALONE } from './thread-role.ts';
import type { FirstThread } from './thread-role.ts';
import { syncOperations } from '../../sync/operations.ts';
import { placeWithLines } from './example-place.ts';
import { SWITCHES_PATH } from '../../sample/switches.ts';
import { startSync } from '../../sync/start.ts';
import type { SyncService } from '../../sync/start.ts';

process.exitCode = await runProgram(serve);

interface Running {
  sync?: SyncService;
  store?: Store;
  downloads?: Downloads;
  threads?: RequestThreads<RequestThreadSettings, ThreadReport, EndedThreads> | undefined;
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
  const role = firstThread(config, running);
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
    running.threads = startThreads({ config, log }, { service, role, port, sampleUrl });
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
    archive: openArchive(config, { keys, log }),
    onPublished: () => {
      for (const index of indexes) index.nudge();
    },
  });
}

function firstThread({ plan }: Config, running: Running): FirstThread {
  if (plan.requests === 1) return ALONE;
  return {
    kind: 'first',
    leader: new Leader(),
    others: () => running.threads?.reports ?? { running: [], ended: null },
    othersRead: () => running.threads?.read(),
  };
}

function startThreads(
  { config, log }: Pick<Program, 'config' | 'log'>,
  {
    service,
    role,
    port,
    sampleUrl,
  }: {
    readonly service: Composed;
    readonly role: FirstThread;
    readonly port: number;
    readonly sampleUrl: string | null;
  },
): RequestThreads<RequestThreadSettings, ThreadReport, EndedThreads> | undefined {
  const { leader } = role;
  const { operator } = service.answers;
  if (leader === null || operator === null) return undefined;
  const { can, liftableGuards } = operator;
  const threads = new RequestThreads<RequestThreadSettings, ThreadReport, EndedThreads>({
    file: new URL('./request-thread.ts', import.meta.url),
    count: config.plan.requests - 1,
    settings: {
      config: configOfThread(config),
      port,
      sampleUrl,
      operator: { can, liftableGuards },
    },
    leader,
    services: { ...service.answers, operator },
    merge: mergeEnded,
    onEnded: () => undefined,
    log,
  });
  void threads.start();
  service.migrated.then(
    () => threads.migrated(),
    () => undefined,
  );
  return threads;
}

/**
 * Whether other threads can listen on the same port. A new conflict of ports is reported like `preflight`'s.
 */
async function listen(
  app: FastifyInstance,
  { config: { host, port }, role, log }: ListenParts,
): Promise<boolean> {
  const reusePort = role.leader !== null;
  // The framework hands on what its type does not name.
  const shared = { host, port, reusePort };
  try {
    await app.listen(shared);
    return reusePort;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!reusePort || !NO_REUSE.includes(code)) throw listenError(error, { host, port });
  }
  log.warn('REQUEST_THREADS: this system lets one thread listen on a port, so there is one.');
  await app.listen({ host, port });
  return false;
}

/** What systems say that have no SO_REUSEPORT, or do not share connections by it. */
const NO_REUSE: readonly string[] = ['ENOTSUP', 'EOPNOTSUPP', 'ENOPROTOOPT', 'EINVAL'];

interface ListenParts extends Pick<Program, 'config' | 'log'> {
  readonly role: FirstThread;
}

function portOf(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port.');
  return address.port;
}

/** An embedded store gets a trial key the first time; elsewhere operators create accounts. */
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
      isOperated: config.operatorToken !== null,
      isLoopbackTrial: config.webhookLoopback,
      switchesUrl: sampleUrl === null ? null : `${sampleUrl}${SWITCHES_PATH}`,
    }),
  );
}
