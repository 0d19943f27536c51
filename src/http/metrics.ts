/**
 * `GET /metrics` (D16). Layers are read from the store at each scrape, so every process reports the
 * same; requests are summed over threads.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Counter, Registry } from '@prometheus-io/client';
import { Type } from 'typebox';
import type { ReadsView } from '../kernel/reads-view.ts';
import type { JobView, RunnerView } from '../jobs/runner.ts';
import type { MeteringView } from '../metering/metering.ts';
import type { TaskView } from '../core/tasks/workers.ts';
import { describeProcess } from '../ops/process-metrics.ts';
import type { DatedChange } from '../ops/dated-changes.ts';
import type { SharedFilesView } from '../kernel/shared-files-view.ts';
import type { MemoryAudit, Overview } from '../ops/overview.ts';
import type { Swept } from '../ops/retention-sweep.ts';
import type { OperatorService } from '../ops/operator-service.ts';
import type { DispatcherView, WebhookView } from '../webhooks/dispatcher.ts';
import { describeLayers, describeLookups, gauge } from './metrics-layers.ts';
import { RequestTally } from './request-tally.ts';
import type { Services } from './services.ts';
import { countsOf, requestsOf, sumOfMetering } from './thread-report.ts';
import type { Connections, LoopDelay, ThreadReport, ThreadReports } from './thread-report.ts';
import { operatorOf } from './v1/drift/operator-of.ts';
import type { Gate } from './v1/drift/gate.ts';
import { errors, query } from '../core/question/schemas.ts';

const metricsRoute = {
  operationId: 'metrics',
  summary: 'Metrics for Prometheus',
  tags: ['drift'],
  security: [{ operator: [] }],
  querystring: query({}),
  response: {
    200: {
      description: 'Text in the exposition format of Prometheus.',
      content: { 'text/plain': { schema: Type.String() } },
    },
    ...errors(400, 401, 403, 503),
  },
};

export function metricsRoutes(app: FastifyInstance, services: Services, gate: Gate): void {
  const { counts } = services;
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  counts.start();
  app.addHook('onClose', (_app, done) => {
    counts.stop();
    done();
  });
  const scrape = services.scrape ?? createScrape(services, app.log);
  routes.get('/metrics', { schema: metricsRoute, onRequest: gate }, async (_request, reply) => {
    operatorOf(services);
    const text = await scrape();
    const contentType = Registry.PROMETHEUS_CONTENT_TYPE;
    return reply.headers({ 'cache-control': 'no-store', 'content-type': contentType }).send(text);
  });
}

/** Says if the store cannot be read. */
export function createScrape(
  services: Services,
  log: Pick<FastifyBaseLogger, 'warn'>,
): () => Promise<string> {
  return async () => {
    const operator = operatorOf(services);
    const registry = new Registry();
    const reports = await services.threads.reports();
    services.threads.read();
    const { running } = reports;
    const sum = countsOf(reports);
    await describeProcess(registry, services.dataDir);
    describeAllThreads(registry, reports);
    describeTasks(
      registry,
      running.map(({ tasks }) => tasks),
    );
    const { upstreamKeysEndMs: endMs } = services;
    const keysEnd = 'geoopslag_upstream_keys_end_timestamp_seconds';
    if (endMs !== null) gauge(registry, keysEnd, 'UPSTREAM_KEYS_END.').set(endMs / 1000);
    const metering = sumOfMetering(running);
    if (metering !== null) describeMetering(registry, metering);
    describeConnections(registry, running);
    if (services.reads) describeReads(registry, services.reads());
    describeCodes(registry, sum.unlistedCodes);
    if (services.sharedFiles) describeFiles(registry, services.sharedFiles());
    await describeStore(registry, operator, services).catch((error: unknown) => {
      log.warn({ err: error }, 'the store could not be read for metrics');
      gauge(registry, 'geoopslag_store_up', 'Whether the store answers.').set(0);
    });
    const requests = new RequestTally();
    requests.add(sum.requests);
    return (await registry.metrics()) + requests.text();
  };
}

/** Register codes that no list holds (D55). */
function describeCodes(registry: Registry, unlisted: ReadonlyMap<string, number>): void {
  const counter = new Counter({
    name: 'geoopslag_unlisted_codes_total',
    help: 'Codes of BBR answered as unknown, by code list.',
    labelNames: ['list'],
    registers: [registry],
  });
  for (const [list, count] of unlisted) counter.inc({ list }, count);
}

function describeAllThreads(registry: Registry, { running: threads, hung }: ThreadReports): void {
  const lag = (which: string, what: string, read: (delay: LoopDelay) => number): void => {
    const help = `Delay of the event loop since the last scrape, ${what}; of the slowest thread.`;
    const seconds = Math.max(0, ...threads.map(({ delay }) => read(delay)));
    gauge(registry, `nodejs_eventloop_lag_${which}_seconds`, help).set(seconds);
  };
  lag('p50', 'the 50th percentile', ({ p50S }) => p50S);
  lag('p99', 'the 99th percentile', ({ p99S }) => p99S);
  lag('max', 'the longest', ({ maxS }) => maxS);
  const heap = threads.reduce((sum, { heapBytes }) => sum + heapBytes, 0);
  gauge(registry, 'nodejs_heap_used_bytes', 'Heap in use by request threads.').set(heap);
  describeThreads(registry, threads);
  new Counter({
    name: 'geoopslag_threads_hung_total',
    help: 'Request threads ended because they hung or took too much memory.',
    registers: [registry],
  }).inc(hung);
}

export function describeTasks(registry: Registry, pools: readonly TaskView[]): void {
  const oldest = Math.max(0, ...pools.map(({ oldestS }) => oldestS));
  const age = 'How long a thread of the pool has been at its task, the longest.';
  gauge(registry, 'geoopslag_pool_task_age_seconds', age).set(oldest);
  new Counter({
    name: 'geoopslag_pool_threads_hung_total',
    help: 'Threads of the pool ended because a task took longer or more memory than it may.',
    registers: [registry],
  }).inc(pools.reduce((sum, { hung }) => sum + hung, 0));
}

function describeThreads(registry: Registry, threads: readonly ThreadReport[]): void {
  gauge(registry, 'geoopslag_threads', 'Request threads that run.').set(threads.length);
  const requests = new Counter({
    name: 'geoopslag_thread_requests_total',
    help: 'Requests answered by a thread since it started.',
    labelNames: ['thread'],
    registers: [registry],
  });
  const lag = 'Delay of the event loop since the last scrape, the 99th percentile.';
  const delays = gauge(registry, 'geoopslag_thread_lag_p99_seconds', lag, 'thread');
  const heaps = gauge(registry, 'geoopslag_thread_heap_bytes', 'Heap in use.', 'thread');
  const silence = 'Since its last report; over a few seconds it hangs.';
  const ages = gauge(registry, 'geoopslag_thread_report_age_seconds', silence, 'thread');
  for (const each of threads) {
    const thread = String(each.thread);
    requests.inc({ thread }, requestsOf(each));
    delays.set({ thread }, each.delay.p99S);
    heaps.set({ thread }, each.heapBytes);
    ages.set({ thread }, each.ageS);
  }
}

function describeMetering(registry: Registry, view: MeteringView): void {
  const { foldAgeS, journalBytes, burstShare, accounts } = view;
  if (foldAgeS !== null) {
    const help = 'Since all units on record here were in the store.';
    gauge(registry, 'geoopslag_usage_fold_age_seconds', help).set(foldAgeS);
  }
  const help = 'Journal files not wholly in the store.';
  gauge(registry, 'geoopslag_usage_journal_bytes', help).set(journalBytes);
  gauge(registry, 'geoopslag_usage_burst_share', 'Share of every burst limit.').set(burstShare);
  gauge(registry, 'geoopslag_usage_accounts', 'Accounts counted for.').set(accounts);
}

function describeSweep(registry: Registry, swept: readonly Swept[]): void {
  const removed = new Counter({
    name: 'geoopslag_retention_removed_rows_total',
    help: 'Rows removed because they were past their retention, since the store was made.',
    labelNames: ['table'],
    registers: [registry],
  });
  const help = 'Since what is past its retention was last removed.';
  const ages = gauge(registry, 'geoopslag_retention_age_seconds', help, 'table');
  for (const { table, removed: rows, ageS } of swept) {
    removed.inc({ table }, rows);
    ages.set({ table }, ageS);
  }
}

async function describeStore(
  registry: Registry,
  operator: OperatorService,
  { jobView, webhookView }: Pick<Services, 'jobView' | 'webhookView'>,
): Promise<void> {
  const [overview, { nowMs, changes }, runs, swept, jobs, webhooks] = await Promise.all([
    operator.overview(),
    operator.changes(),
    operator.runCounts(),
    operator.swept(),
    jobView?.(),
    webhookView?.(),
  ]);
  describeSweep(registry, swept);
  if (webhooks !== undefined) describeWebhooks(registry, webhooks);
  if (jobs !== undefined) describeJobs(registry, jobs);
  gauge(registry, 'geoopslag_store_up', 'Whether the store answers.').set(1);
  gauge(registry, 'geoopslag_generation', 'Store-wide data generation.').set(overview.generation);
  describeLeader(registry, overview);
  describeLayers(registry, overview);
  describeChanges(registry, changes, nowMs);
  describeMemory(registry, overview);
  describeLookups(registry, overview);
  const counter = new Counter({
    name: 'geoopslag_sync_runs_total',
    help: 'Runs on record, by layer and how they ended.',
    labelNames: ['layer', 'state'],
    registers: [registry],
  });
  for (const { layer, state, count } of runs) counter.inc({ layer, state }, count);
}

function describeLeader(registry: Registry, { syncLeader }: Overview): void {
  const leads = syncLeader?.leads === true ? 1 : 0;
  gauge(registry, 'geoopslag_sync_leaders', '1 while a process leads the syncs.').set(leads);
  if (syncLeader === null) return;
  const help = 'Times that the lead of the syncs was taken.';
  gauge(registry, 'geoopslag_sync_lease_epoch', help).set(syncLeader.epoch);
}

function describeConnections(registry: Registry, threads: readonly ThreadReport[]): void {
  const help = 'Connections to the database of the pool that requests share, by what they do.';
  const connections = gauge(registry, 'geoopslag_database_connections', help, 'state');
  const sum = (state: keyof Connections): number =>
    threads.reduce((all, each) => all + each.connections[state], 0);
  for (const state of ['busy', 'idle'] as const) connections.set({ state }, sum(state));
  const waiting = 'Statements of requests that wait for a connection to the database.';
  gauge(registry, 'geoopslag_database_waiting', waiting).set(sum('waiting'));
}

/** Of the first thread; other threads measure separately. */
function describeReads(registry: Registry, { lagMs, isUsed, reads }: ReadsView): void {
  const used = gauge(registry, 'geoopslag_replica_used', '1 while the store is read on a replica.');
  used.set(isUsed ? 1 : 0);
  const help = 'Replication lag, at most; absent while it is unknown.';
  if (lagMs !== null) gauge(registry, 'geoopslag_replica_lag_seconds', help).set(lagMs / 1000);
  const counter = new Counter({
    name: 'geoopslag_store_reads_total',
    help: 'Connections taken for lookups from the store, by server.',
    labelNames: ['server'],
    registers: [registry],
  });
  for (const server of ['replica', 'primary'] as const) counter.inc({ server }, reads[server]);
}

function describeChanges(registry: Registry, changes: readonly DatedChange[], nowMs: number): void {
  const labels = ['layer', 'change'] as const;
  const due = gauge(
    registry,
    'geoopslag_dated_change_due_seconds',
    'Until the instant of a change that is known ahead; negative: it is overdue.',
    ...labels,
  );
  const overdue = gauge(
    registry,
    'geoopslag_dated_change_overdue',
    '1 where the instant of a change is past and it has not come: the copy is stale.',
    ...labels,
  );
  const unconfirmed = gauge(
    registry,
    'geoopslag_dated_change_unconfirmed',
    '1 where a change trips guards and nobody has confirmed it.',
    ...labels,
  );
  for (const { id, layer, atMs, state, needsConfirmation } of changes) {
    if (state === 'carried_out') continue;
    due.set({ layer, change: id }, (atMs - nowMs) / 1000);
    overdue.set({ layer, change: id }, state === 'overdue' ? 1 : 0);
    unconfirmed.set({ layer, change: id }, needsConfirmation ? 1 : 0);
  }
}

function describeJobs(registry: Registry, { facts, runner }: JobView): void {
  const set = (name: string, help: string, value: number): void =>
    gauge(registry, `geoopslag_jobs_${name}`, help).set(value);
  set('open', 'Jobs that wait or run.', facts.open);
  set('running', 'Jobs that run.', facts.running);
  set('waiting_rows', 'Rows of them without an answer.', facts.waitingRows);
  set('waiting_chunks', 'Chunks that wait for a worker.', facts.waitingChunks);
  set('leased_chunks', 'Chunks in progress.', facts.leasedChunks);
  set('bytes', 'Rows and files of all jobs that are kept.', facts.bytes);
  // None is open: an age of 0 would be wrong.
  if (facts.oldestS !== null)
    set('still_seconds', 'Longest that one has not moved.', facts.oldestS);
  if (runner !== null) describeRunner(registry, runner);
}

export function describeRunner(registry: Registry, runner: RunnerView): void {
  const registers = [registry];
  const count = (name: string, help: string, value: number): void =>
    new Counter({ name: `geoopslag_jobs_${name}`, help, registers }).inc(value);
  const set = (name: string, help: string, value: number): void =>
    gauge(registry, `geoopslag_jobs_${name}`, help).set(value);
  set('places', 'Chunks this process may work on at a time.', runner.places);
  set('under_way', 'Chunks it works on.', runner.underWay);
  count('rows_total', 'Rows it has put on file.', runner.rows);
  count('chunks_total', 'Chunks it has put on file.', runner.chunks);
  count('failures_total', 'Chunks it could not put on file.', runner.failures);
}

function describeWebhooks(registry: Registry, { facts, dispatcher }: WebhookView): void {
  const set = (name: string, help: string, value: number): void =>
    gauge(registry, `geoopslag_webhook_${name}`, help).set(value);
  set('endpoints', 'Endpoints that are registered.', facts.endpoints);
  set('endpoints_failing', 'Of those, whose last attempt failed.', facts.failingEndpoints);
  set('waiting', 'Deliveries that wait for an attempt.', facts.waiting);
  set('in_flight', 'Attempts under way, of all processes.', facts.inFlight);
  if (facts.oldestDueS !== null)
    set('oldest_due_seconds', 'Longest that a delivery has been due.', facts.oldestDueS);
  if (dispatcher !== null) describeDispatcher(registry, dispatcher);
}

export function describeDispatcher(registry: Registry, dispatcher: DispatcherView): void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'geoopslag_webhook_attempts_total',
    help: 'Attempts of this process, by how they ended; pings are not counted.',
    labelNames: ['result'],
    registers,
  });
  attempts.inc({ result: 'success' }, dispatcher.succeeded);
  attempts.inc({ result: 'failure' }, dispatcher.failed);
  const count = (name: string, help: string, value: number): void =>
    new Counter({ name: `geoopslag_webhook_${name}`, help, registers }).inc(value);
  count('abandoned_total', 'Deliveries given up after their last attempt.', dispatcher.abandoned);
  count('interrupted_total', 'Attempts of dead processes taken back.', dispatcher.interrupted);
}

function describeMemory(registry: Registry, { layers, memory }: Overview): void {
  if (memory === null) return;
  gauge(registry, 'geoopslag_memory_bytes', 'Snapshots in shared memory.').set(memory.bytes);
  const held = gauge(registry, 'geoopslag_layer_in_memory', '1 if memory answers it.', 'layer');
  for (const { layer } of layers) held.set({ layer }, memory.layers.includes(layer) ? 1 : 0);
  if (memory.properties !== null) {
    const help =
      'Properties in the file of records; written: anew for its version, not taken over.';
    const records = gauge(registry, 'geoopslag_property_records', help, 'which');
    records.set({ which: 'all' }, memory.properties.records);
    records.set({ which: 'written' }, memory.properties.written);
  }
  if (memory.audit !== null) describeAudit(registry, memory.audit);
}

function describeAudit(registry: Registry, audit: MemoryAudit): void {
  const registers = [registry];
  const count = (name: string, help: string, value: number): void =>
    new Counter({ name: `geoopslag_memory_audit_${name}`, help, registers }).inc(value);
  count('compared_total', 'Answers of memory held against the store.', audit.compared);
  count('differences_total', 'Of those, answers that differed.', audit.differences);
  count('scrubbed_bytes_total', 'Memory read through for turned bits.', audit.scrubbedBytes);
  const skipped = new Counter({
    name: 'geoopslag_memory_audit_skipped_total',
    help: 'Comparisons left out, by why.',
    labelNames: ['why'],
    registers,
  });
  skipped.inc({ why: 'busy' }, audit.skipped.busy);
  skipped.inc({ why: 'store_away' }, audit.skipped.storeUnavailable);
  const alarms = new Counter({
    name: 'geoopslag_memory_audit_alarms_total',
    help: 'Snapshots taken out of service, by layer and by what was found.',
    labelNames: ['layer', 'kind'],
    registers,
  });
  for (const { layer, kind } of audit.alarms) alarms.inc({ layer, kind });
}

function describeFiles(registry: Registry, files: SharedFilesView): void {
  const up = 'Whether SNAPSHOT_STORE answered when it was last asked.';
  if (files.isAnswering !== null)
    gauge(registry, 'geoopslag_snapshot_store_up', up).set(files.isAnswering ? 1 : 0);
  const results = new Counter({
    name: 'geoopslag_snapshot_store_results_total',
    help: 'Versions fetched and published, objects refused for their bytes, and failures.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of ['fetched', 'published', 'refused', 'failed'] as const) {
    results.inc({ result }, files[result]);
  }
  if (files.servedManifestAtMs === null) return;
  const help = 'When the files that answer in place of the database were written.';
  gauge(registry, 'geoopslag_snapshot_store_manifest_timestamp_seconds', help).set(
    files.servedManifestAtMs / 1000,
  );
}
