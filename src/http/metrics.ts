/**
 * `GET /metrics` (D16). Layers are read from the store at each scrape, so every process reports the
 * same; requests are summed over threads.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Registry } from '@prometheus-io/client';
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
import { counter, describeLayers, describeLookups, gauge, put } from './metrics-layers.ts';
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
    const keysEndS = endMs === null ? null : endMs / 1000;
    put(registry, [
      ['geoopslag_upstream_keys_end_timestamp_seconds', 'UPSTREAM_KEYS_END.', keysEndS],
    ]);
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
  const help = 'Codes of BBR answered as unknown, by code list.';
  const codes = counter(registry, 'geoopslag_unlisted_codes_total', help, 'list');
  for (const [list, count] of unlisted) codes.inc({ list }, count);
}

function describeAllThreads(registry: Registry, { running: threads, hung }: ThreadReports): void {
  const lag = (which: string, what: string, read: (delay: LoopDelay) => number) =>
    [
      `nodejs_eventloop_lag_${which}_seconds`,
      `Delay of the event loop since the last scrape, ${what}; of the slowest thread.`,
      Math.max(0, ...threads.map(({ delay }) => read(delay))),
    ] as const;
  const heap = threads.reduce((sum, { heapBytes }) => sum + heapBytes, 0);
  put(registry, [
    lag('p50', 'the 50th percentile', ({ p50S }) => p50S),
    lag('p99', 'the 99th percentile', ({ p99S }) => p99S),
    lag('max', 'the longest', ({ maxS }) => maxS),
    ['nodejs_heap_used_bytes', 'Heap in use by request threads.', heap],
    [
      'geoopslag_threads_hung_total',
      'Request threads ended because they hung or took too much memory.',
      hung,
    ],
  ]);
  describeThreads(registry, threads);
}

export function describeTasks(registry: Registry, pools: readonly TaskView[]): void {
  put(registry, [
    [
      'geoopslag_pool_task_age_seconds',
      'How long a thread of the pool has been at its task, the longest.',
      Math.max(0, ...pools.map(({ oldestS }) => oldestS)),
    ],
    [
      'geoopslag_pool_threads_hung_total',
      'Threads of the pool ended because a task took longer or more memory than it may.',
      pools.reduce((sum, { hung }) => sum + hung, 0),
    ],
  ]);
}

function describeThreads(registry: Registry, threads: readonly ThreadReport[]): void {
  put(registry, [['geoopslag_threads', 'Request threads that run.', threads.length]]);
  const answered = 'Requests answered by a thread since it started.';
  const requests = counter(registry, 'geoopslag_thread_requests_total', answered, 'thread');
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
  const unstored = 'Since all units on record here were in the store.';
  put(registry, [
    ['geoopslag_usage_fold_age_seconds', unstored, view.foldAgeS],
    ['geoopslag_usage_journal_bytes', 'Journal files not wholly in the store.', view.journalBytes],
    ['geoopslag_usage_burst_share', 'Share of every burst limit.', view.burstShare],
    ['geoopslag_usage_accounts', 'Accounts counted for.', view.accounts],
  ]);
}

function describeSweep(registry: Registry, swept: readonly Swept[]): void {
  const past = 'Rows removed because they were past their retention, since the store was made.';
  const removed = counter(registry, 'geoopslag_retention_removed_rows_total', past, 'table');
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
  const { syncLeader } = overview;
  put(registry, [
    ['geoopslag_store_up', 'Whether the store answers.', 1],
    ['geoopslag_generation', 'Store-wide data generation.', overview.generation],
    ['geoopslag_sync_leaders', '1 while a process leads the syncs.', syncLeader?.leads ? 1 : 0],
    [
      'geoopslag_sync_lease_epoch',
      'Times that the lead of the syncs was taken.',
      syncLeader?.epoch ?? null,
    ],
  ]);
  describeLayers(registry, overview);
  describeChanges(registry, changes, nowMs);
  describeMemory(registry, overview);
  describeLookups(registry, overview);
  const help = 'Runs on record, by layer and how they ended.';
  const ended = counter(registry, 'geoopslag_sync_runs_total', help, 'layer', 'state');
  for (const { layer, state, count } of runs) ended.inc({ layer, state }, count);
}

function describeConnections(registry: Registry, threads: readonly ThreadReport[]): void {
  const help = 'Connections to the database of the pool that requests share, by what they do.';
  const connections = gauge(registry, 'geoopslag_database_connections', help, 'state');
  const sum = (state: keyof Connections): number =>
    threads.reduce((all, each) => all + each.connections[state], 0);
  for (const state of ['busy', 'idle'] as const) connections.set({ state }, sum(state));
  const waiting = 'Statements of requests that wait for a connection to the database.';
  put(registry, [['geoopslag_database_waiting', waiting, sum('waiting')]]);
}

/** Of the first thread; other threads measure separately. */
function describeReads(registry: Registry, { lagMs, isUsed, reads }: ReadsView): void {
  const lag = 'Replication lag, at most; absent while it is unknown.';
  put(registry, [
    ['geoopslag_replica_used', '1 while the store is read on a replica.', isUsed ? 1 : 0],
    ['geoopslag_replica_lag_seconds', lag, lagMs === null ? null : lagMs / 1000],
  ]);
  const help = 'Connections taken for lookups from the store, by server.';
  const taken = counter(registry, 'geoopslag_store_reads_total', help, 'server');
  for (const server of ['replica', 'primary'] as const) taken.inc({ server }, reads[server]);
}

function describeChanges(registry: Registry, changes: readonly DatedChange[], nowMs: number): void {
  const byChange = (name: string, help: string) =>
    gauge(registry, `geoopslag_dated_change_${name}`, help, 'layer', 'change');
  const due = byChange(
    'due_seconds',
    'Until the instant of a change that is known ahead; negative: it is overdue.',
  );
  const overdue = byChange(
    'overdue',
    '1 where the instant of a change is past and it has not come: the copy is stale.',
  );
  const unconfirmed = byChange(
    'unconfirmed',
    '1 where a change trips guards and nobody has confirmed it.',
  );
  for (const { id, layer, atMs, state, needsConfirmation } of changes) {
    if (state === 'carried_out') continue;
    due.set({ layer, change: id }, (atMs - nowMs) / 1000);
    overdue.set({ layer, change: id }, state === 'overdue' ? 1 : 0);
    unconfirmed.set({ layer, change: id }, needsConfirmation ? 1 : 0);
  }
}

function describeJobs(registry: Registry, { facts, runner }: JobView): void {
  put(registry, [
    ['geoopslag_jobs_open', 'Jobs that wait or run.', facts.open],
    ['geoopslag_jobs_running', 'Jobs that run.', facts.running],
    ['geoopslag_jobs_waiting_rows', 'Rows of them without an answer.', facts.waitingRows],
    ['geoopslag_jobs_waiting_chunks', 'Chunks that wait for a worker.', facts.waitingChunks],
    ['geoopslag_jobs_leased_chunks', 'Chunks in progress.', facts.leasedChunks],
    ['geoopslag_jobs_bytes', 'Rows and files of all jobs that are kept.', facts.bytes],
    ['geoopslag_jobs_still_seconds', 'Longest that one has not moved.', facts.oldestS],
  ]);
  if (runner !== null) describeRunner(registry, runner);
}

export function describeRunner(registry: Registry, runner: RunnerView): void {
  put(registry, [
    ['geoopslag_jobs_places', 'Chunks this process may work on at a time.', runner.places],
    ['geoopslag_jobs_under_way', 'Chunks it works on.', runner.underWay],
    ['geoopslag_jobs_rows_total', 'Rows it has put on file.', runner.rows],
    ['geoopslag_jobs_chunks_total', 'Chunks it has put on file.', runner.chunks],
    ['geoopslag_jobs_failures_total', 'Chunks it could not put on file.', runner.failures],
  ]);
}

function describeWebhooks(registry: Registry, { facts, dispatcher }: WebhookView): void {
  const failing = 'Of those, whose last attempt failed.';
  const oldest = 'Longest that a delivery has been due.';
  put(registry, [
    ['geoopslag_webhook_endpoints', 'Endpoints that are registered.', facts.endpoints],
    ['geoopslag_webhook_endpoints_failing', failing, facts.failingEndpoints],
    ['geoopslag_webhook_waiting', 'Deliveries that wait for an attempt.', facts.waiting],
    ['geoopslag_webhook_in_flight', 'Attempts under way, of all processes.', facts.inFlight],
    ['geoopslag_webhook_oldest_due_seconds', oldest, facts.oldestDueS],
  ]);
  if (dispatcher !== null) describeDispatcher(registry, dispatcher);
}

export function describeDispatcher(registry: Registry, dispatcher: DispatcherView): void {
  const help = 'Attempts of this process, by how they ended; pings are not counted.';
  const attempts = counter(registry, 'geoopslag_webhook_attempts_total', help, 'result');
  attempts.inc({ result: 'success' }, dispatcher.succeeded);
  attempts.inc({ result: 'failure' }, dispatcher.failed);
  const abandoned = 'Deliveries given up after their last attempt.';
  const interrupted = 'Attempts of dead processes taken back.';
  put(registry, [
    ['geoopslag_webhook_abandoned_total', abandoned, dispatcher.abandoned],
    ['geoopslag_webhook_interrupted_total', interrupted, dispatcher.interrupted],
  ]);
}

function describeMemory(registry: Registry, { layers, memory }: Overview): void {
  if (memory === null) return;
  put(registry, [['geoopslag_memory_bytes', 'Snapshots in shared memory.', memory.bytes]]);
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
  const compared = 'Answers of memory held against the store.';
  const differed = 'Of those, answers that differed.';
  const scrubbed = 'Memory read through for turned bits.';
  put(registry, [
    ['geoopslag_memory_audit_compared_total', compared, audit.compared],
    ['geoopslag_memory_audit_differences_total', differed, audit.differences],
    ['geoopslag_memory_audit_scrubbed_bytes_total', scrubbed, audit.scrubbedBytes],
  ]);
  const skip = 'Comparisons left out, by why.';
  const skipped = counter(registry, 'geoopslag_memory_audit_skipped_total', skip, 'why');
  skipped.inc({ why: 'busy' }, audit.skipped.busy);
  skipped.inc({ why: 'store_away' }, audit.skipped.storeUnavailable);
  const out = 'Snapshots taken out of service, by layer and by what was found.';
  const name = 'geoopslag_memory_audit_alarms_total';
  const alarms = counter(registry, name, out, 'layer', 'kind');
  for (const { layer, kind } of audit.alarms) alarms.inc({ layer, kind });
}

function describeFiles(registry: Registry, files: SharedFilesView): void {
  const { isAnswering, servedManifestAtMs: manifestAtMs } = files;
  put(registry, [
    [
      'geoopslag_snapshot_store_up',
      'Whether SNAPSHOT_STORE answered when it was last asked.',
      isAnswering === null ? null : Number(isAnswering),
    ],
    [
      'geoopslag_snapshot_store_manifest_timestamp_seconds',
      'When the files that answer in place of the database were written.',
      manifestAtMs === null ? null : manifestAtMs / 1000,
    ],
  ]);
  const help = 'Versions fetched and published, objects refused for their bytes, and failures.';
  const results = counter(registry, 'geoopslag_snapshot_store_results_total', help, 'result');
  for (const result of ['fetched', 'published', 'refused', 'failed'] as const) {
    results.inc({ result }, files[result]);
  }
}
