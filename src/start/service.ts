/**
 * Puts the service together from its settings: store, threads, register clients, lookups, edge.
 * Everything opened here is closed here, in the opposite order. Listens and schedules nothing.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AccountParts } from './accounts.ts';
import { buildApp } from '../http/app.ts';
import { composeCompanies } from './company-lookups.ts';
import type { ComposedCompanies } from './company-lookups.ts';
import { composeTerrain } from './terrain-lookups.ts';
import type { ComposedTerrain, TerrainSources } from './terrain-lookups.ts';
import { composePropertyLookups } from './property-lookups.ts';
import { composeAccess } from './access.ts';
import { inventedData, placeWithAddress } from './example-place.ts';
import type { ComposedAccess } from './access.ts';
import { readPlans } from '../account/plans.ts';
import { composeHealth } from './health.ts';
import type { Health } from './health.ts';
import { composeJobs, jobLabels } from './jobs.ts';
import type { JobParts } from './jobs.ts';
import { createJobFiles } from '../jobs/files/file.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Metering } from '../metering/metering.ts';
import { composeOperator, watcherOf } from './operator.ts';
import type { ComposedOperator } from './operator.ts';
import type { Config } from '../config.ts';
import { openStore } from '../db/connect.ts';
import type { Store } from '../db/connect.ts';
import { migrateWhenUp } from '../db/migrate.ts';
import { storeNameOf } from '../db/store-name.ts';
import { StoreWatch } from '../db/store-watch.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { EdgeOptions } from '../http/options.ts';
import type { Services } from '../http/services.ts';
import type { Clock } from '../kernel/clock.ts';
import { troubleLog } from '../kernel/log.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import { createAddressLoader } from '../memory/address-loader.ts';
import { createPlaceLoader } from '../memory/place-loader.ts';
import type { CoveredLands } from '../memory/covered-lands.ts';
import { createLayerLoader } from '../memory/layer-loader.ts';
import type { AllLoaders } from '../memory/loaded.ts';
import { createPropertyLoader } from '../memory/property-loader.ts';
import { compareProperties } from '../memory/property-audit.ts';
import { createSelfAudit } from '../memory/snapshot-audit.ts';
import type { SelfAudit } from '../memory/snapshot-audit.ts';
import { createLookupTally } from '../ops/metrics.ts';
import type { Operations } from '../ops/operations.ts';
import { readLines } from '../registers/building-lines/store.ts';
import { readCoveringAreas } from '../registers/dagi/store.ts';
import { createWfsClient } from '../wfs/client.ts';
import type { WfsClient } from '../wfs/client.ts';
import { createHostGate } from '../wfs/hosts.ts';
import { createWorkers } from '../../workers/pool.ts';
import type { Workers } from '../../workers/pool.ts';
import { composeWebhooks } from './webhooks.ts';
import type { ComposedWebhooks, WebhookNetwork } from './webhooks.ts';
import { composeLookups } from './lookups.ts';
import type { LookupParts } from './lookups.ts';

/** What is mirrored and asked, and the keys its hosts want. */
export interface ComposedSources {
  readonly catalogue: Catalogue;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  /** Absent: heights are not set up. */
  readonly terrain?: TerrainSources;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly sources: ComposedSources;
  readonly log: Logger;
  /** Told of a layer whose copy is past its freshness limit while someone asks for it. */
  readonly onExpired: (layer: MirrorId) => void;
  /** Asks nobody for a key and bills nothing: for benchmarks of what keys cost. */
  readonly open?: boolean;
  /** Where webhooks go instead of the network as it is: tests and benchmarks. */
  readonly webhookNetwork?: WebhookNetwork;
  /** What operators can set going; absent: no sync runs in this process. */
  readonly operations?: Operations;
}

export interface Composed extends AllLoaders {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly accounts: AccountParts;
  readonly metering: Metering;
  readonly workers: Workers;
  readonly wfs: WfsClient;
  /** Holds memory against the store; null without a memory rung. */
  readonly audit: SelfAudit | null;
  /** Works on jobs; null: this process does not. */
  readonly jobs: JobRunner | null;
  /** Webhooks of accounts, and who sends them. */
  readonly hooks: ComposedWebhooks;
  /** Resolves when the schema is up to date; keeps trying while a server is unavailable. */
  readonly migrated: Promise<void>;
  close(): Promise<void>;
}

/** Rejects only on what waiting cannot mend: a store that cannot be opened or is newer than us. */
export async function compose(options: ComposeOptions): Promise<Composed> {
  const { config, clock, log } = options;
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    purpose: 'lookups',
    log: troubleLog(log, 'store'),
  });
  closing.push(() => store.close());
  const watch = new StoreWatch({ store, log: troubleLog(log, 'store').error });
  closing.push(() => watch.stop());
  const { migrated, stop } = startMigration(store);
  closing.push(stop);
  // An embedded store is up already, and its first questions should find its tables.
  if (store.kind === 'embedded') await migrated;
  await watch.start();
  const keyed = await composeAccess({ ...options, store, outages: watch, migrated });
  closing.push(() => keyed.stop());
  const hooks = startWebhooks(options, { store, migrated });
  closing.push(() => hooks.stop());
  const workers = createWorkers({ threads: config.threads, log: troubleLog(log, 'threads') });
  closing.push(() => workers.close());
  const wfs = createWfsClient({ clock });
  closing.push(() => wfs.close());
  const loaders = openMemories(options, { store, workers });
  const { memory, addressMemory, propertyMemory, placeMemory } = loaders;
  for (const loader of [memory, addressMemory, propertyMemory, placeMemory]) {
    loader?.start();
    closing.push(async () => await loader?.stop());
  }
  const audit = startAudit(options, store, { memory, propertyMemory });
  closing.push(async () => await audit?.stop());
  const health = composeHealth({
    ...options.sources,
    ...{ store, clock, memory, addressMemory, placeMemory, migrated },
    outages: watch,
  });
  closing.push(() => health.stop());
  const { services, jobs, operator, terrain, companies } = assemble(options, {
    ...{ store, workers, wfs, ...loaders, audit, migrated, hooks },
    outages: watch,
    edge: { ...keyed.edge, ...health.edge },
  });
  closing.push(() => operator.stop());
  closing.push(() => terrain.stop());
  closing.push(() => companies.stop());
  closing.push(async () => await jobs?.stop());
  const app = await buildApp(services, edgeOptions(config, log));
  closing.push(() => app.close());
  return {
    ...keyed,
    ...{ app, store, workers, wfs, ...loaders },
    ...{ audit, jobs, hooks, migrated, close },
  };
}

function startMigration(store: Store): Pick<Composed, 'migrated'> & { stop: () => Promise<void> } {
  const abort = new AbortController();
  // That the server is unavailable is told by the watch.
  const migrated = migrateWhenUp(store, null, abort.signal);
  migrated.catch(() => undefined);
  const stop = (): Promise<void> => {
    abort.abort();
    return migrated.catch(() => undefined);
  };
  return { migrated, stop };
}

interface OpenedParts extends Omit<LookupParts, keyof AllLoaders | 'gate' | 'watcher'>, AllLoaders {
  readonly audit: SelfAudit | null;
  readonly migrated: Promise<void>;
  readonly hooks: ComposedWebhooks;
  readonly outages: StoreOutages;
  readonly edge: ComposedAccess['edge'] & Health['edge'];
}

/** What the edge asks, and the engine of jobs over the same lookups. */
function assemble(
  options: ComposeOptions,
  { edge, audit, migrated, hooks, ...parts }: OpenedParts,
): {
  readonly services: Services;
  readonly jobs: JobRunner | null;
  readonly operator: ComposedOperator;
  readonly terrain: ComposedTerrain;
  readonly companies: ComposedCompanies;
} {
  const { clock, sources, log, operations = null } = options;
  const { store, memory, addressMemory, propertyMemory, placeMemory } = parts;
  const gate = createHostGate({ clock });
  const tally = createLookupTally(clock);
  const watcher = watcherOf(tally);
  const lookups = servicesOf(options, { ...parts, gate, watcher });
  const companies = composeCompanies(options, { store, gate, watcher });
  const jobs = startJobs(options, { ...parts, lookups, migrated });
  const terrain = composeTerrain({
    sources: sources.terrain ?? { folder: null, wcs: null },
    lands: lookups.lands,
    ...{ clock, gate, log, apiKey: sources.keys['terrain'] ?? null },
  });
  const operator = composeOperator({
    ...sources,
    ...{ store, outages: parts.outages, clock, tally, gate, operations, jobs },
    dispatcher: hooks.dispatcher,
    moreHosts: [sources.terrain?.wcs?.host, companies.host].filter(
      (host) => typeof host === 'string',
    ),
    ...{ memory, addressMemory, propertyMemory, placeMemory, audit },
  });
  const services = {
    ...edge,
    ...lookups,
    ...terrain.edge,
    ...companies.edge,
    jobs: createJobs({ store, clock, onReady: () => jobs?.nudge() }),
    jobFiles: createJobFiles(store, jobLabels(lookups)),
    webhooks: hooks.webhooks,
    ...operator.edge,
  };
  return { services, jobs, operator, terrain, companies };
}

/** What answers from memory, not yet started; nothing with `LOOKUPS=store`. */
export function openMemories(
  { config, clock, sources, log }: ComposeOptions,
  { store, workers }: { readonly store: Store; readonly workers: Workers },
): AllLoaders {
  if (config.lookups === 'store') {
    return { memory: null, addressMemory: null, propertyMemory: null, placeMemory: null };
  }
  const common = {
    store,
    workers,
    log: (message: string) => log.warn({ component: 'memory' }, message),
    directory: join(config.dataDir, 'snapshots'),
    storeName: storeNameOf(config.databaseUrl),
  };
  return {
    memory: createLayerLoader({ ...common, clock, catalogue: sources.catalogue }),
    addressMemory: createAddressLoader(common),
    propertyMemory: createPropertyLoader({ ...common, clock }),
    placeMemory: createPlaceLoader(common),
  };
}

function startJobs(
  { config, clock, log }: ComposeOptions,
  parts: Pick<JobParts, 'store' | 'workers' | 'lookups' | 'memory' | 'addressMemory'> & {
    readonly migrated: Promise<void>;
  },
): JobRunner | null {
  if (!config.jobs) return null;
  const { searchRadiusM, threads, dataDir, plansFile } = config;
  const settings = { plans: readPlans(plansFile), searchRadiusM, threads, dataDir };
  const jobs = composeJobs({ ...parts, ...settings, clock, log, isStoreWatched: true });
  parts.migrated.then(
    () => jobs.start(),
    () => undefined,
  );
  return jobs;
}

function startWebhooks(
  { config, clock, log, webhookNetwork: network }: ComposeOptions,
  { store, migrated }: { readonly store: Store; readonly migrated: Promise<void> },
): ComposedWebhooks {
  const hooks = composeWebhooks({ config, store, clock, log, ...(network && { network }) });
  migrated.then(
    () => hooks.start(),
    () => undefined,
  );
  return hooks;
}

function edgeOptions(config: Config, logger: Logger): EdgeOptions {
  const { publicUrl, logLevel, operatorToken, trustedProxies, fastPath, backgroundMap } = config;
  const newRequestId = randomUUID;
  return {
    publicUrl,
    logger,
    logLevel,
    operatorToken,
    trustedProxies,
    fastPath,
    backgroundMap,
    newRequestId,
    examplePlace: placeWithAddress(config.sources),
    inventedData: inventedData(config.sources),
  };
}

function startAudit(
  { config, clock, sources, log }: ComposeOptions,
  store: Store,
  { memory, propertyMemory }: Pick<AllLoaders, 'memory' | 'propertyMemory'>,
): SelfAudit | null {
  if (memory === null) return null;
  const audit = createSelfAudit({
    memory,
    readLines: (question) => readLines(store, question),
    readCoveringAreas: (points) => readCoveringAreas(store, points),
    properties: propertyMemory && {
      memory: propertyMemory,
      compare: (held, nowMs) => compareProperties(held, store, { nowMs, random: Math.random }),
    },
    catalogue: sources.catalogue,
    searchRadiusM: config.searchRadiusM,
    clock,
    alarm: (message) => log.error({ component: 'memory' }, message),
    random: Math.random,
  });
  audit.start();
  return audit;
}

export function servicesOf(
  options: ComposeOptions,
  parts: LookupParts,
): Omit<Services, 'access' | keyof Health['edge']> & { readonly lands: CoveredLands } {
  const { config, clock, onExpired, sources } = options;
  const { catalogue, keys } = sources;
  const { searchRadiusM } = config;
  const sample = config.sources === 'sample';
  return {
    catalogue,
    sourceNames: {
      lines: sample
        ? 'Opdigtet prøveregister'
        : 'Danmarks Miljøportal, Slots- og Kulturstyrelsen, Matriklen',
      areas: sample ? 'Opdigtet prøveregister' : 'DAGI',
      addresses: sample ? 'Opdigtet prøveregister' : 'DAR',
      terrain: sample ? 'Opdigtet prøveregister' : 'Danmarks Højdemodel',
      places: sample ? 'Opdigtet prøveregister' : 'Danske Stednavne',
      parcels: sample ? 'Opdigtet prøveregister' : 'Matriklen',
    },
    ...composeLookups(
      {
        ...{ catalogue, keys, clock, onExpired, searchRadiusM, log: options.log },
        terrainCoverage: sources.terrain?.wcs?.coverage ?? null,
      },
      parts,
    ),
    ...composePropertyLookups({
      ...parts,
      ...{ catalogue, clock, onExpired, isInvented: sample },
      addressMemory: parts.addressMemory ?? null,
      propertyMemory: parts.propertyMemory ?? null,
      log: options.log,
    }),
  };
}
