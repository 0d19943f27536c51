import type { Clock } from '../kernel/clock.ts';
import type { Store } from '../db/connect.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import type { DayRecord, Services } from '../http/services.ts';
import { countsOf, sumOfHosts } from '../http/thread-report.ts';
import type { ThreadReports } from '../http/thread-report.ts';
import { readJobDays } from '../jobs/job-days.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { readJobFacts } from '../jobs/sweep-store.ts';
import { OPS_LIMITS } from '../ops/limits.ts';
import { allLayers } from '../layers/catalogue.ts';
import { LAYER_IDS } from '../layers/keys.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { Watcher } from '../answers/answer.ts';
import type { AuditView } from '../memory/snapshot-audit.ts';
import { viewOfLoaded } from '../memory/loaded.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import type { MemoryIndex } from '../core/memory-index.ts';
import { daysUntil } from '../metering/calendar.ts';
import { AuditRecorder, readAuditDays } from '../ops/audit-log.ts';
import { createOperatorService } from '../ops/operator-service.ts';
import { LastKnown } from '../ops/last-known.ts';
import type { LookupTally } from '../ops/metrics.ts';
import type { Operations } from '../ops/operations.ts';
import { readOverviewFacts } from '../ops/overview.ts';
import { readPublished } from '../core/published.ts';
import type { SharedFiles } from '../snapshot-store/shared-files.ts';
import { readWebhookFacts } from '../webhooks/dispatch-store.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';
import { UpstreamFailure } from '../wfs/failure.ts';

export interface OperatorParts {
  readonly memory: LayerLoader | null;
  readonly indexes: readonly MemoryIndex[];
  readonly store: Store;
  readonly outages: StoreOutages;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  /** Of all threads. */
  readonly reports: () => ThreadReports;
  /** null: this process runs no sync. */
  readonly operations: Operations | null;
  readonly audit: { view(): AuditView } | null;
  readonly shared: SharedFiles | null;
  readonly jobs: JobRunner | null;
  /** null: this process sends no webhooks. */
  readonly dispatcher: Dispatcher | null;
}

export interface ComposedOperator {
  readonly edge: Pick<
    Services,
    'operator' | 'snapshotFile' | 'sharedFiles' | 'jobView' | 'webhookView' | 'daysView'
  >;
  stop(): Promise<void>;
}

export function composeOperator(parts: OperatorParts): ComposedOperator {
  const { store, outages, clock, catalogue, keys, reports, operations, memory, shared } = parts;
  const facts = new LastKnown({ read: () => readOverviewFacts(store, catalogue), outages });
  const jobFacts = new LastKnown({ read: () => readJobFacts(store), outages });
  const hookFacts = new LastKnown({
    read: () => readWebhookFacts(store, clock.nowMs()),
    outages,
  });
  for (const known of [facts, jobFacts, hookFacts]) known.start(OPS_LIMITS.lastKnownMs.operators);
  const recorder = startRecorder(parts);
  const operator = createOperatorService({
    store,
    facts,
    catalogue,
    clock,
    lookups: () => countsOf(reports()).lookups,
    operations,
    keyedHosts: new Set(Object.keys(keys)),
    hosts: () => sumOfHosts(reports().running.map(({ hosts }) => hosts)),
    memory: () => viewOfLoaded(parts.indexes, parts),
  });
  const snapshotFile: Services['snapshotFile'] = async (layer) => {
    const { versions } = await readPublished(store, LAYER_IDS);
    const found = versions.find((each) => each.layer === layer);
    if (found === undefined || memory === null) return null;
    return { path: memory.pathOf(found, 'fgb'), version: found.version };
  };
  return {
    edge: {
      operator,
      webhookView: async () => ({
        facts: (await hookFacts.get()).value,
        dispatcher: parts.dispatcher?.view() ?? null,
      }),
      jobView: async () => ({
        facts: (await jobFacts.get()).value,
        runner: parts.jobs?.view() ?? null,
      }),
      daysView: (days) => readDays(store, clock.nowMs(), days),
      snapshotFile: memory && snapshotFile,
      sharedFiles: shared && (() => shared.view()),
    },
    stop: async () => {
      await Promise.all([facts.stop(), jobFacts.stop(), hookFacts.stop(), recorder?.stop()]);
    },
  };
}

function startRecorder({ store, outages, clock, audit }: OperatorParts): AuditRecorder | null {
  if (audit === null) return null;
  const recorder = new AuditRecorder({ store, outages, clock, view: () => audit.view() });
  recorder.start();
  return recorder;
}

async function readDays(store: Store, nowMs: number, count: number): Promise<DayRecord[]> {
  const days = daysUntil(nowMs, count);
  const [audits, jobs] = await Promise.all([readAuditDays(store, days), readJobDays(store, days)]);
  return days.map(({ date }, place) => {
    const ended = jobs[place];
    if (ended === undefined) throw new Error('The store has left out a day.');
    return { date, audit: audits[place] ?? null, jobs: ended };
  });
}

/** Hosts of the layers, and others that registers ask. */
export function upstreamHosts(catalogue: Catalogue, more: readonly string[]): readonly string[] {
  return [...new Set([...allLayers(catalogue).map(({ source }) => source.host), ...more])];
}

export function watcherOf(tally: LookupTally): Watcher {
  return {
    answered: tally.answered,
    originFailed: (layer, error) => {
      tally.originFailed(layer, error instanceof UpstreamFailure ? error.kind : 'other');
    },
  };
}
