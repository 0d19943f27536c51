/** Composes the service; it closes in reverse order. Does not listen or schedule. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AccountParts } from './accounts.ts';
import { buildApp } from '../http/app.ts';
import { composeAccess } from './access.ts';
import { edgeOptions } from './edge.ts';
import type { ComposedAccess } from './access.ts';
import { readPlans } from '../account/plans.ts';
import { composeHealth } from './health.ts';
import type { Health } from './health.ts';
import { composeJobs, jobKinds, startJobs } from './jobs.ts';
import type { JobParts } from './jobs.ts';
import { createJobFiles } from '../jobs/files/file.ts';
import { createJobs } from '../jobs/jobs.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Metering } from '../metering/metering.ts';
import { composeOperator, upstreamHosts, watcherOf } from './operator.ts';
import type { ComposedOperator } from './operator.ts';
import type { Config } from '../config.ts';
import type { Store } from '../db/connect.ts';
import { migrateWhenUp } from '../db/migrate.ts';
import type { MigrationFault } from '../db/migration-run.ts';
import type { Reads } from '../db/reads.ts';
import { copiesInService } from '../memory/loaded.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { Services } from '../http/services.ts';
import { monotonicClock } from '../kernel/clock.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Coverage } from '../layers/coverage.ts';
import { troubleLog } from '../kernel/log.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import { SelfAudit } from '../memory/snapshot-audit.ts';
import { createLookupTally } from '../ops/metrics.ts';
import type { Operations } from '../ops/operations.ts';
import { createWfsClient } from '../wfs/client.ts';
import type { WfsClient } from '../wfs/client.ts';
import { createHostGate } from '../wfs/hosts.ts';
import { createWorkers } from '../../workers/pool.ts';
import { longAnswersOf } from '../core/tasks/stream-reader.ts';
import type { Workers } from '../core/tasks/workers.ts';
import {
  alone,
  askedOperator,
  askedScrape,
  noticesTo,
  numberOf,
  processThreads,
  reportOf,
  reportsIn,
} from './thread-role.ts';
import type { AnsweredToThreads, ThreadRole } from './thread-role.ts';
import { createScrape } from '../http/metrics.ts';
import { ThreadCounts } from '../http/thread-report.ts';
import type { ThreadReport } from '../http/thread-report.ts';
import { measureStatus } from './status-history.ts';
import { composeWatch } from './watch.ts';
import type { WatchLists } from '../watch/lists.ts';
import { composeWebhooks } from './webhooks.ts';
import { nameStore, openWatched } from './watched.ts';
import type { ComposedWebhooks, WebhookNetwork } from './webhooks.ts';
import type { ServedRegister } from '../core/register.ts';
import type { RegisterSettings } from '../core/live-settings.ts';
import { sourceNameOf } from '../answers/sources.ts';
import { changesIn, doorOf } from './changes.ts';
import { auditsOf } from '../core/register.ts';
import { LAYERS, REGISTERS } from '../registers.ts';
import { openMemory, openShared } from './memories.ts';
import type { OpenedMemories } from './memories.ts';
import { composeLookups } from './lookups.ts';
import { composeReads, readWith } from './reads.ts';
import type { LookupParts } from './lookups.ts';

export interface ComposedSources {
  readonly catalogue: Catalogue;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  /** Absent: no tiles, and live sources as declared. */
  readonly settings?: RegisterSettings;
}

export interface ComposeOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly sources: ComposedSources;
  readonly log: Logger;
  readonly onExpired: (layer: MirrorId) => void;
  /** No keys or billing: for benchmarks. */
  readonly open?: boolean;
  readonly webhookNetwork?: WebhookNetwork;
  /** Absent: this process runs no sync. */
  readonly operations?: Operations;
  /** Absent: one request thread. */
  readonly role?: ThreadRole;
}

export interface Composed extends OpenedMemories {
  readonly app: FastifyInstance;
  readonly store: Store;
  readonly accounts: AccountParts;
  readonly metering: Metering;
  readonly workers: Workers;
  readonly wfs: WfsClient;
  /** Compares memory with the store; null without memory. */
  readonly audit: SelfAudit | null;
  readonly jobs: JobRunner | null;
  readonly hooks: ComposedWebhooks;
  readonly report: () => ThreadReport;
  readonly counts: ThreadCounts;
  /** For the other request threads. */
  readonly answers: AnsweredToThreads;
  /** Resolves when the schema is up to date; retries PostgreSQL until then. */
  readonly migrated: Promise<void>;
  close(): Promise<void>;
}

/** Rejects only when the store cannot be opened or is newer than this program. */
export async function compose(given: ComposeOptions): Promise<Composed> {
  const { config, log, role = alone() } = given;
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.toReversed()) await step();
  };
  let indexes: OpenedMemories['indexes'] = [];
  const missing = () => copiesInService(indexes).missing;
  const { clock, store, watch, prompt } = await openWatched({ ...given, role, missing }, closing);
  const options = { ...given, clock };
  const { migrated, fault, stop } = startMigration(store, log, role);
  closing.push(stop);
  // An embedded store's first questions should find its tables.
  if (store.kind === 'embedded' && role.kind === 'first') await migrated;
  await watch.start();
  const storeNames = await nameStore(config, { store, watch, migrated });
  const shared = openShared(options);
  const keyed = await composeAccess({
    ...{ ...options, shared, store, prompt, outages: watch, migrated, storeNames },
    ...{ limiters: role.limiters, thread: numberOf(role) },
  });
  closing.push(() => keyed.stop());
  const hooks = startWebhooks(options, { store, migrated });
  closing.push(() => hooks.stop());
  const workers = createWorkers({ threads: config.threads, log: troubleLog(log, 'threads') });
  closing.push(() => workers.close());
  const watches = startWatch(options, { store, workers, hooks, migrated, closing });
  const wfs = createWfsClient({ clock });
  closing.push(() => wfs.close());
  const loaders = openMemory(options, { store, workers, storeNames, shared });
  indexes = loaders.indexes;
  closing.push(async () => await loaders.shared?.stop(), startIndexes(loaders));
  const audit = startAudit(options, store, loaders);
  closing.push(async () => await audit?.stop());
  const health = composeHealth({
    ...options.sources,
    ...{ store, clock, indexes: loaders.indexes, migrated, migrationFault: fault, outages: watch },
    canKnowCallers: () => keyed.canKnowCallers(),
    canMeter: () => keyed.metering.view().burstShare > 0,
  });
  closing.push(() => health.stop());
  const reads = composeReads(options, { ...loaders, store: prompt, outages: watch, closing });
  const { services, jobs, operator, registers, report } = assemble(options, {
    ...{ store, prompt, reads, workers, wfs, ...loaders, audit },
    ...{ role, metering: keyed.metering, outages: watch, hooks, watches },
    edge: { ...keyed.edge, ...health.edge },
  });
  const measured = measureStatus(options, services);
  closing.push(() => operator.stop(), measured.stop);
  for (const each of registers) closing.push(async () => await each.stop?.());
  if (jobs !== null) closing.push(startJobs(jobs, migrated, indexes));
  const app = await buildApp({ ...services, ...measured.edge }, edgeOptions(config, log, role));
  closing.push(() => app.close());
  return {
    ...keyed,
    ...{ app, store, workers, wfs, ...loaders },
    ...{ audit, jobs, hooks, migrated, close, report, counts: services.counts },
    answers: answersOf(options, { services, jobs, hooks }),
  };
}

function startIndexes({ indexes }: OpenedMemories): () => Promise<void> {
  for (const index of indexes) index.start();
  return async () => {
    for (const index of indexes.toReversed()) await index.stop();
  };
}

function answersOf(
  { onExpired, log }: ComposeOptions,
  {
    services,
    jobs,
    hooks,
  }: {
    readonly services: Services;
    readonly jobs: JobRunner | null;
    readonly hooks: ComposedWebhooks;
  },
): AnsweredToThreads {
  const { threads, operator, jobView, webhookView, daysView, snapshotFile } = services;
  return {
    operator,
    views: { jobView, webhookView, daysView, snapshotFile },
    process: { ...threads, scrape: createScrape(services, log) },
    notices: {
      jobReady: () => jobs?.nudge(),
      webhookDue: () => hooks.dispatcher?.nudge(),
      expired: onExpired,
    },
  };
}

interface StartedMigration extends Pick<Composed, 'migrated'> {
  /** Of the last attempt; null: waiting, running or done. */
  readonly fault: () => MigrationFault | null;
  readonly stop: () => Promise<void>;
}

/** The first thread migrates for all. */
function startMigration(store: Store, log: Logger, role: ThreadRole): StartedMigration {
  if (role.kind === 'other')
    return { migrated: role.migrated, fault: () => null, stop: () => Promise.resolve() };
  const abort = new AbortController();
  let last: MigrationFault | null = null;
  const onFault = (fault: typeof last): void => void (last = fault);
  // An unavailable server is reported elsewhere.
  const waiting = migrateWhenUp(store, { log, signal: abort.signal, isWatched: true, onFault });
  const migrated = waiting.then(() => onFault(null));
  migrated.catch(() => undefined);
  const stop = (): Promise<void> => {
    abort.abort();
    return migrated.catch(() => undefined);
  };
  return { migrated, fault: () => last, stop };
}

interface OpenedParts
  extends Omit<LookupParts, keyof OpenedMemories | 'gate' | 'watcher'>, OpenedMemories {
  readonly prompt: Store;
  readonly reads: Reads | null;
  readonly audit: SelfAudit | null;
  readonly hooks: ComposedWebhooks;
  readonly watches: WatchLists;
  readonly outages: StoreOutages;
  readonly role: ThreadRole;
  readonly metering: Metering;
  readonly edge: ComposedAccess['edge'] & Health['edge'];
}

function assemble(
  options: ComposeOptions,
  { edge, audit, hooks, watches, role, metering, prompt, ...parts }: OpenedParts,
): {
  readonly services: Services;
  readonly jobs: JobRunner | null;
  readonly operator: ComposedOperator;
  readonly registers: readonly ServedRegister[];
  readonly report: () => ThreadReport;
} {
  const { clock, sources, operations = null, config } = options;
  const { store } = parts;
  const { limiters } = role;
  const gate = createHostGate({ clock: monotonicClock, limiters });
  const tally = createLookupTally(clock);
  const watcher = watcherOf(tally);
  const { outages, reads } = parts;
  const read = readWith(reads, { store: prompt, outages });
  const lookups = servicesOf(options, { ...parts, gate, watcher, limiters, ...read });
  const { registers } = lookups;
  const kinds = jobKinds(lookups, { isInvented: config.sources === 'sample' });
  const jobs = jobsOf(options, { ...parts, lookups });
  const counts = new ThreadCounts();
  const { unlistedCodes } = lookups;
  const asked = registers.flatMap(({ hosts: live = [] }) => live);
  const hosts = upstreamHosts(sources.catalogue, asked);
  const counted = { counts, tally, unlistedCodes, hosts, gate, metering: () => metering.view() };
  const report = (): ThreadReport => reportOf(role, counted, store.pool, parts.workers);
  const operator =
    role.kind === 'other'
      ? askedOperator(role)
      : composeOperator({
          ...sources,
          ...{ store, outages: parts.outages, clock, operations, jobs },
          reports: () => reportsIn(role, report),
          dispatcher: hooks.dispatcher,
          ...{ memory: parts.memory, indexes: parts.indexes, shared: parts.shared, audit },
        });
  const onReady = role.kind === 'other' ? noticesTo(role).jobReady : () => jobs?.nudge();
  const longAnswers = longAnswersOf(parts.workers, config);
  const services = {
    ...edge,
    ...lookups,
    limiters,
    counts,
    threads: processThreads(role, { own: report, counts }),
    reads: reads && (() => reads.view()),
    scrape: role.kind === 'other' ? askedScrape(role) : null,
    ...{ dataDir: config.dataDir, upstreamKeysEndMs: config.upstreamKeysEndMs },
    changes: changesIn(sources.catalogue, { config, store, longAnswers }),
    jobs: createJobs({ store, clock, onReady }),
    dawa: config.dawa && doorOf(config.dawa, lookups, { store, longAnswers }),
    ...{ jobFiles: createJobFiles(store, kinds), jobKinds: kinds },
    ...{ webhooks: hooks.webhooks, watches },
    ...operator.edge,
  };
  return { services, jobs, operator, registers, report };
}

function jobsOf(
  { config, clock, log }: ComposeOptions,
  parts: Pick<JobParts, 'store' | 'workers' | 'lookups' | 'memory'>,
): JobRunner | null {
  if (!config.jobs) return null;
  const { searchRadiusM, threads, dataDir, plansFile } = config;
  const settings = { plans: readPlans(plansFile), searchRadiusM, threads, dataDir };
  const isInvented = config.sources === 'sample';
  return composeJobs({ ...parts, ...settings, isInvented, clock, log, isStoreWatched: true });
}

function startWebhooks(
  { config, clock, log, webhookNetwork: network, role }: ComposeOptions,
  { store, migrated }: { readonly store: Store; readonly migrated: Promise<void> },
): ComposedWebhooks {
  const hooks = composeWebhooks({
    ...{ config, store, clock, log, ...(network && { network }) },
    ...(role?.kind === 'other' && { onDue: noticesTo(role).webhookDue }),
  });
  migrated.then(
    () => hooks.start(),
    () => undefined,
  );
  return hooks;
}

function startWatch(
  { config, clock, log, role }: ComposeOptions,
  {
    store,
    workers,
    hooks,
    migrated,
    closing,
  }: Pick<OpenedParts, 'store' | 'workers' | 'hooks'> & {
    readonly migrated: Promise<void>;
    readonly closing: (() => Promise<unknown>)[];
  },
): WatchLists {
  const onDue =
    role?.kind === 'other' ? noticesTo(role).webhookDue : () => hooks.dispatcher?.nudge();
  // With the deliveries, which another process may do.
  const compares = config.webhooks && role?.kind !== 'other';
  const watch = composeWatch({ store, workers, clock, log, compares, onDue });
  migrated.then(
    () => watch.start(),
    () => undefined,
  );
  closing.push(() => watch.stop());
  return watch.lists;
}

function startAudit(
  { config, clock, sources, log, role }: ComposeOptions,
  store: Store,
  { memory, memories }: OpenedMemories,
): SelfAudit | null {
  if (memory === null || role?.kind === 'other') return null;
  const audit = new SelfAudit({
    ...{ memory, store, sources: LAYERS },
    records: auditsOf(REGISTERS, memories, store),
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
): Pick<Services, 'catalogue' | 'sourceOf'> & ReturnType<typeof composeLookups> {
  const { config, clock, onExpired, sources, log } = options;
  const { catalogue, keys, settings = { dhmDir: null, live: {} } } = sources;
  const { searchRadiusM, virkLogin: login } = config;
  const isInvented = config.sources === 'sample';
  return {
    catalogue,
    sourceOf: (layer) =>
      sourceNameOf(LAYERS.find(({ layers }) => layers.includes(layer))?.source ?? layer, {
        isInvented,
      }),
    ...composeLookups(
      {
        ...{ catalogue, keys, clock, onExpired, searchRadiusM, isInvented, log, login },
        settings,
        liveCoverages: Object.values(settings.live).flatMap(coverageIn),
      },
      parts,
    ),
  };
}

/** Empty: the country. */
function coverageIn(override: object): readonly Coverage[] {
  const { coverage = null } = override as { readonly coverage?: Coverage | null };
  return coverage === null ? [] : [coverage];
}
