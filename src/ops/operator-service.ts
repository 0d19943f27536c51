/** What operators see and do, each action recorded. Without a sync in this process it is read-only. */
import type { Clock } from '../kernel/clock.ts';
import type { Store } from '../db/connect.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { LayerId, MirrorId } from '../layers/keys.ts';
import { confirmChange, readDatedChanges, unconfirmChange } from './dated-changes.ts';
import type { ConfirmAnswer, DatedChange } from './dated-changes.ts';
import type { LayerTallies } from './metrics.ts';
import type { Operations, RevertAnswer, SyncAnswer } from './operations.ts';
import { recordAction } from './operator-log.ts';
import type { OperatorAction } from './operator-log.ts';
import type { LastKnown } from './last-known.ts';
import { overviewOf } from './overview.ts';
import type { MemoryView, Overview, OverviewFacts, UpstreamHost } from './overview.ts';
import { readLayerHistory } from './layer-history.ts';
import type { LayerHistory } from './layer-history.ts';
import { countRuns, readRuns } from './run-log.ts';
import type { RunPage } from './run-log.ts';
import { readDifference } from './version-difference.ts';
import type { DifferenceAnswer, VersionPair } from './version-difference.ts';
import { OPS_LIMITS } from './limits.ts';

export interface Doer {
  readonly who: string;
  /** Client address. */
  readonly from: string;
  readonly requestId: string;
}

export interface OperatorService {
  readonly can: { readonly sync: boolean; readonly revert: boolean };
  readonly liftableGuards: readonly string[];
  overview(): Promise<Overview>;
  runs(
    layer: MirrorId,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<RunPage>;
  history(layer: MirrorId, days: number): Promise<LayerHistory>;
  difference(layer: LayerId, pair: VersionPair): Promise<DifferenceAnswer>;
  runCounts(): ReturnType<typeof countRuns>;
  /** Requests a run over the named guards. A release that came too late is not kept. */
  requestSync(layer: MirrorId, guards: readonly string[], by: Doer): Promise<SyncAnswer>;
  changes(): Promise<{ readonly nowMs: number; readonly changes: readonly DatedChange[] }>;
  /** Confirms a shown change, until its instant; `unconfirm` withdraws that. */
  confirm(id: string, remark: string | null, by: Doer): Promise<ConfirmAnswer>;
  unconfirm(id: string, by: Doer): Promise<ConfirmAnswer>;
  /** `unavailable`: reverting is not supported here. */
  revert(layer: MirrorId, by: Doer): Promise<RevertAnswer | { readonly state: 'unavailable' }>;
}

export interface OperatorServiceDeps {
  readonly store: Pick<Store, 'db'>;
  readonly facts: Pick<LastKnown<OverviewFacts>, 'get'>;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly lookups: () => LayerTallies;
  readonly hosts: () => readonly UpstreamHost[];
  readonly memory: () => MemoryView | null;
  readonly keyedHosts: ReadonlySet<string>;
  /** null: this process runs no sync. */
  readonly operations: Operations | null;
}

/** Every method throws when the store does. */
export function createOperatorService(deps: OperatorServiceDeps): OperatorService {
  const { store, facts, catalogue, clock, lookups, hosts, memory, keyedHosts, operations } = deps;
  const record: Recording = (deed, by) => recordAction(store, { ...deed, ...by });
  return {
    can: { sync: operations !== null, revert: operations?.revert !== undefined },
    liftableGuards: operations?.liftableGuards ?? [],
    overview: async () => {
      const latest = await facts.get();
      const seen = {
        ...{ hosts: hosts(), lookups: lookups() },
        ...{ memory: memory(), nowMs: clock.nowMs() },
      };
      return overviewOf({ catalogue, keyedHosts, ...seen }, latest);
    },
    runs: (layer, page) => readRuns(store, layer, { ...page, issues: OPS_LIMITS.issuesPerRun }),
    history: (layer, days) => readLayerHistory(store, layer, { days, nowMs: clock.nowMs() }),
    difference: (layer, pair) => readDifference(store, layer, pair),
    runCounts: () => countRuns(store),
    requestSync: async (layer, guards, by) => {
      // Taken first, so that the record precedes the run it causes.
      const atMs = clock.nowMs();
      const answer =
        operations?.requestSync(layer, { liftedGuards: guards, by: by.who }) ?? 'stopped';
      if (answer === 'queued') {
        const action = guards.length > 0 ? 'release' : 'sync';
        await record({ atMs, layer, action, guards }, by);
      }
      return answer;
    },
    ...changeDeeds(deps, record),
    revert: async (layer, by) => {
      if (operations?.revert === undefined) return { state: 'unavailable' };
      const atMs = clock.nowMs();
      const answer = await operations.revert(layer, by.who);
      if (answer.state === 'reverted') {
        await record({ atMs, layer, action: 'revert', guards: [] }, by);
      }
      return answer;
    },
  };
}

type Recording = (deed: Omit<OperatorAction, 'who'>, by: Doer) => Promise<void>;

function changeDeeds(
  { store, clock }: Pick<OperatorServiceDeps, 'store' | 'clock'>,
  record: Recording,
): Pick<OperatorService, 'changes' | 'confirm' | 'unconfirm'> {
  return {
    changes: async () => {
      const nowMs = clock.nowMs();
      return { nowMs, changes: await readDatedChanges(store, nowMs) };
    },
    confirm: async (id, remark, by) => {
      const nowMs = clock.nowMs();
      const answer = await confirmChange(store, { id, nowMs, by: by.who, remark });
      if (answer.state === 'done') {
        const { layer, preview } = answer.change;
        await record({ atMs: nowMs, layer, action: 'confirm', guards: preview?.guards ?? [] }, by);
      }
      return answer;
    },
    unconfirm: async (id, by) => {
      const nowMs = clock.nowMs();
      const answer = await unconfirmChange(store, { id, nowMs });
      if (answer.state === 'done') {
        const { layer } = answer.change;
        await record({ atMs: nowMs, layer, action: 'unconfirm', guards: [] }, by);
      }
      return answer;
    },
  };
}
