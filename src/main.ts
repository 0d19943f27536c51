/** The entry point: starts every role in one process, says where, and stops cleanly. */
import type { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { mintFirstKey } from './account/first-key.ts';
import { compose } from './compose.ts';
import type { Composed } from './compose.ts';
import { loadConfig, misspelledSettings } from './config.ts';
import type { Config } from './config.ts';
import { openStore } from './db/connect.ts';
import type { Store } from './db/connect.ts';
import type { Downloads } from './downloads/client.ts';
import { systemClock } from './kernel/clock.ts';
import { LIMITS } from './kernel/limits.ts';
import { listenError, preflight } from './preflight.ts';
import { openArchive, openDownloads, openSources } from '../sync/open.ts';
import { syncOperations } from '../sync/operations.ts';
import { samplePoint } from '../sync/sample/points.ts';
import { SWITCHES_PATH } from '../sync/sample/switches.ts';
import { startSync } from '../sync/start.ts';
import type { SyncService } from '../sync/start.ts';

/** By the lake of Furesø, where lines are many. */
const KNOWN_PLACE = { lon: 12.4136, lat: 55.7957 };

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  // What was opened already would keep the process going with nobody in charge.
  process.exit(1);
});

/** Runs until it is told to stop; the exit code. */
async function main(): Promise<number> {
  const config = loadConfig();
  const stopped = stopSignal();
  const say = (message: string): void => {
    if (config.logLevel !== 'silent') console.error(message);
  };
  misspelledSettings().forEach(say);
  await preflight(config);
  const sources = await openSources(config, config);
  const running: { sync?: SyncService; store?: Store; downloads?: Downloads } = {};
  const service = await compose({
    config,
    clock: systemClock,
    sources,
    log: say,
    onExpired: (layer) => running.sync?.requestSync(layer, 'expired'),
    ...(config.sync && { operations: syncOperations(() => running.sync, sources) }),
  });
  await listen(service.app, config);
  console.log(greeting(config, portOf(service.app.server.address()), await firstKey(service)));
  if (sources.sampleUrl !== null) {
    console.log(`Sample upstream: ${sources.sampleUrl} (switches at ${SWITCHES_PATH})`);
  }
  if (config.sync) {
    const log = {
      info: () => undefined,
      warn: (_detail: object, message: string) => say(message),
      error: (_detail: object, message: string) => say(message),
    };
    const { workers, wfs } = service;
    const { catalogue, keys } = sources;
    const begin = async () => {
      running.downloads = openDownloads(config, systemClock);
      running.store = await openStore({ ...config, purpose: 'sync', log: { error: say } });
      running.sync = startSync({
        store: running.store,
        workers,
        wfs,
        downloads: running.downloads,
        catalogue,
        keys,
        clock: systemClock,
        log,
        archive: openArchive(config, { keys, log }),
        onPublished: () => {
          service.memory?.nudge();
          service.addressMemory?.nudge();
        },
      });
    };
    service.migrated.then(begin).catch((error: unknown) => say(String(error)));
  }
  await stopped;
  await service.app.close();
  await running.sync?.stop();
  await running.downloads?.close();
  await running.store?.close();
  await service.close();
  await sources.close();
  return 0;
}

/** From the moment it is asked to stop, whatever hangs, still starting or already stopping, it ends. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const stop = (): void => {
    setTimeout(() => {
      console.error('Stopping took too long: ending at once.');
      process.exit(1);
    }, LIMITS.stopMs).unref();
    resolve(undefined);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return promise;
}

/** The port was free a moment ago: what comes between is told as `preflight` tells it. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, { host, port });
  }
}

function portOf(address: ReturnType<Server['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port.');
  return address.port;
}

/** A key to try the service with, the first time an embedded store is there; null: it has accounts. */
async function firstKey({ store }: Composed): Promise<string | null> {
  return store.kind === 'embedded' ? await mintFirstKey(store, systemClock) : null;
}

/**
 * Where, from what, and something to try; then where to watch it. The one secret it tells is the
 * first test key, which is shown nowhere else and never again.
 */
function greeting(config: Config, port: number, key: string | null): string {
  const base = `http://${config.host}:${port}`;
  const { lon, lat } = config.sources === 'sample' ? samplePoint('beach-cut').wgs84 : KNOWN_PLACE;
  const what = config.sources === 'sample' ? 'sample registers (invented)' : 'live registers';
  return (
    `Geoopslag listens on ${base} (${what}). ` +
    `Try: curl -H 'Authorization: Bearer ${key ?? '<key>'}' ` +
    `'${base}/v1/natur/byggelinjer?lon=${lon}&lat=${lat}'\n` +
    (key === null ? 'Keys: npm run admin -- key mint <account> --test\n' : '') +
    `Operations: ${base}/drift${config.operatorToken === null ? ' (set OPERATOR_TOKEN, or sign in as an operator)' : ''}`
  );
}
