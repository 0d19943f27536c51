/** Made from three reads of the store. */
import type { Store } from '../db/connect.ts';
import { firstRow } from '../db/rows.ts';
import type { MirrorId } from '../layers/keys.ts';
import { allMirrored, sourceHostOf } from '../layers/catalogue.ts';
import type { Catalogue, Mirrored } from '../layers/catalogue.ts';
import { copyAgeS } from '../layers/published-copy.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { SharedFilesView } from '../kernel/shared-files-view.ts';
import { OPS_LIMITS } from './limits.ts';
import { dataAge, layerHealth, readLayerFacts } from './freshness.ts';
import type { LayerFacts } from './freshness.ts';
import type { Reported } from './last-known.ts';
import { tallyOf } from './metrics.ts';
import type { LayerTallies } from './metrics.ts';
import { readLayerActs } from './operator-acts.ts';
import { readRevertible, readRunDigests } from './run-log.ts';
import type { RunDigest } from './run-log.ts';

export interface UpstreamHost {
  readonly host: string;
  readonly breaker: 'closed' | 'open' | 'half_open';
  readonly inFlight: number;
  readonly queued: number;
}

export interface MemoryView {
  /** null: nothing is in memory yet. */
  readonly generation: number | null;
  readonly layers: readonly MirrorId[];
  readonly suspended: readonly MirrorId[];
  readonly bytes: number;
  /** `written`: records rewritten by this version; null: not in service. */
  readonly properties: { readonly records: number; readonly written: number } | null;
  /** Shared with other fronts; null: none. */
  readonly files: SharedFilesView | null;
  /** Since the process started; null: no self-audit here. */
  readonly audit: MemoryAudit | null;
}

export interface MemoryAudit {
  readonly compared: number;
  readonly differences: number;
  /** Rounds skipped. */
  readonly skipped: { readonly busy: number; readonly storeUnavailable: number };
  readonly scrubbedBytes: number;
  readonly lastComparedAtMs: number | null;
  readonly alarms: readonly {
    readonly layer: MirrorId;
    readonly version: number;
    readonly atMs: number;
    /** answer: the engines disagree. memory: bits changed since loading. */
    readonly kind: 'answer' | 'memory';
  }[];
}

export type LayerOverview = ReturnType<typeof layerOverview>;
export type Overview = ReturnType<typeof overviewOf>;

export type OverviewFacts = Awaited<ReturnType<typeof readOverviewFacts>>;

export interface OverviewDeps {
  readonly catalogue: Catalogue;
  readonly nowMs: number;
  /** Of all threads of this process. */
  readonly lookups: LayerTallies;
  readonly hosts: readonly UpstreamHost[];
  readonly memory: MemoryView | null;
  readonly keyedHosts: ReadonlySet<string>;
}

export async function readOverviewFacts(store: Pick<Store, 'db'>, catalogue: Catalogue) {
  const layers = allMirrored(catalogue).map(({ id }) => id);
  const [facts, digests, actions, revertible, syncLeader] = await Promise.all([
    readLayerFacts(store),
    readRunDigests(store, layers, OPS_LIMITS.runsInOverview),
    readLayerActs(store, OPS_LIMITS.actionsInOverview),
    readRevertible(store),
    readSyncLeader(store),
  ]);
  return { facts, digests, actions, revertible, syncLeader };
}

export function overviewOf(deps: OverviewDeps, reported: Reported<OverviewFacts>) {
  const { catalogue, nowMs, hosts, memory } = deps;
  const { facts, digests, actions, revertible, syncLeader } = reported.value;
  const layers = allMirrored(catalogue);
  return {
    nowMs,
    /** Age of the store's report; null: current. */
    knownForS: reported.ageS,
    generation: facts.generation,
    /** null: no process has led yet. */
    syncLeader,
    layers: layers.map((layer) =>
      layerOverview(deps, layer, {
        facts: facts.layers.get(layer.id) ?? { state: null, lastRun: null },
        digest: digests.get(layer.id) ?? { recent: [], lastGood: null, lastRefused: null },
        revertible: revertible.has(layer.id),
      }),
    ),
    hosts,
    memory,
    actions,
  };
}

function layerOverview(
  { nowMs, lookups, keyedHosts }: OverviewDeps,
  layer: Mirrored,
  {
    facts,
    digest,
    revertible,
  }: { readonly facts: LayerFacts; readonly digest: RunDigest; readonly revertible: boolean },
) {
  const { state, lastRun } = facts;
  const { recent, lastGood, lastRefused } = digest;
  const { freshness } = layer;
  const running = recent.find((run) => run.state === 'running') ?? null;
  const ended = recent.find((run) => run.state !== 'running') ?? null;
  return {
    layer: layer.id,
    name: layer.name,
    register: layer.register,
    /** As its source claims; null: the country. */
    coverage: layer.coverage ?? null,
    ...hostFacts(layer, keyedHosts),
    health: layerHealth({ state, lastRun, freshness, nowMs }),
    limitS: freshness.limitS,
    hardLimitS: freshness.hardLimitS,
    data: dataAge(state, freshness, nowMs),
    revertible,
    /** Reverted: only a person's request syncs it. */
    hold: state?.hold ?? null,
    /** null: never mirrored. */
    copy: state === null ? null : { ...state, ageS: copyAgeS(state, nowMs) },
    /** `silent`: its process has not reported for too long. */
    running:
      running === null
        ? null
        : { ...running, silent: running.heartbeatAgeMs > LIMITS.syncDeadAfterMs },
    lastGood,
    /** `stands` until a later run ends otherwise. */
    refusal:
      lastRefused === null ? null : { run: lastRefused, stands: ended?.id === lastRefused.id },
    failure: ended?.state === 'failed' ? ended : null,
    /** Newest first. */
    recent,
    lookups: tallyOf(lookups, layer.id),
  };
}

function hostFacts(
  layer: Mirrored,
  keyedHosts: ReadonlySet<string>,
): { readonly host: string; readonly lacksKey: boolean } {
  const source = sourceHostOf(layer);
  if (source === null) return { host: '', lacksKey: false };
  const { host, apiKeyParameter } = source;
  return { host, lacksKey: apiKeyParameter !== null && !keyedHosts.has(host) };
}

export interface SyncLeader {
  /** Host, process and a random part. */
  readonly holder: string;
  /** Milliseconds UTC, by the store's clock. */
  readonly sinceMs: number;
  /** Rises with every taking. */
  readonly epoch: number;
  /** false: the lease has expired, so no process leads. */
  readonly leads: boolean;
}

/** null: no process has led yet. */
export async function readSyncLeader({ db }: Pick<Store, 'db'>): Promise<SyncLeader | null> {
  return await firstRow<SyncLeader>(db)`
    select holder, epoch, (extract(epoch from since) * 1000)::float8 as "sinceMs",
      expires_at > clock_timestamp() as leads from sync_lease`;
}
