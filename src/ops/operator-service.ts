/** Records each action. Without a sync in this process it is read-only. */
import type { Clock } from '../kernel/clock.ts';
import type { Store } from '../db/connect.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { LayerId, MirrorId } from '../layers/keys.ts';
import { confirmChange, readDatedChanges, unconfirmChange } from './dated-changes.ts';
import type { LayerTallies } from './metrics.ts';
import type { Operations, SyncAnswer } from './operations.ts';
import { layerState, readActs, recordAct } from './operator-acts.ts';
import type { Action, ActsAsked } from './operator-acts.ts';
import type { LastKnown } from './last-known.ts';
import { overviewOf } from './overview.ts';
import type { MemoryView, Overview, OverviewFacts, UpstreamHost } from './overview.ts';
import { readLayerHistory } from './layer-history.ts';
import { readSwept } from './retention-sweep.ts';
import { countRuns, readRuns } from './run-log.ts';
import { readDifference } from './version-difference.ts';
import type { VersionPair } from './version-difference.ts';
import { OPS_LIMITS } from './limits.ts';

export interface Doer {
  readonly who: string;
  /** Client address. */
  readonly from: string;
  readonly requestId: string;
}

export type OperatorService = ReturnType<typeof createOperatorService>;

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
export function createOperatorService(deps: OperatorServiceDeps) {
  const { store, facts, catalogue, clock, lookups, hosts, memory, keyedHosts, operations } = deps;
  const record: Recording = async (act, { layer, wanted = {} }, by) => {
    const before = await layerState(store, layer);
    const deed = { via: 'api', act, accountId: null, target: layer, before, wanted } as const;
    await recordAct(store, { ...deed, ...by });
  };
  return {
    can: { sync: operations !== null, revert: operations?.revert !== undefined },
    liftableGuards: operations?.liftableGuards ?? [],
    overview: async (): Promise<Overview> => {
      const latest = await facts.get();
      const seen = {
        ...{ hosts: hosts(), lookups: lookups() },
        ...{ memory: memory(), nowMs: clock.nowMs() },
      };
      return overviewOf({ catalogue, keyedHosts, ...seen }, latest);
    },
    runs: (layer: MirrorId, page: { readonly limit: number; readonly before: string | null }) =>
      readRuns(store, layer, { ...page, issues: OPS_LIMITS.issuesPerRun }),
    history: (layer: MirrorId, days: number) =>
      readLayerHistory(store, layer, { days, nowMs: clock.nowMs() }),
    difference: (layer: LayerId, pair: VersionPair) => readDifference(store, layer, pair),
    runCounts: () => countRuns(store),
    swept: () => readSwept(store),
    /** Newest first. */
    acts: (asked: ActsAsked) => readActs(store, asked),
    /** The run may publish over the guards. */
    requestSync: async (
      layer: MirrorId,
      guards: readonly string[],
      by: Doer,
    ): Promise<SyncAnswer> => {
      if (operations === null) return 'stopped';
      await record(guards.length > 0 ? 'release' : 'sync', { layer, wanted: { guards } }, by);
      return operations.requestSync(layer, { liftedGuards: guards, by: by.who });
    },
    ...changeDeeds(deps, record),
    /** `unavailable`: reverting is not supported here. */
    revert: async (layer: MirrorId, by: Doer, of?: number) => {
      if (operations?.revert === undefined) return { state: 'unavailable' } as const;
      await record('revert', { layer }, by);
      return await operations.revert(layer, by.who, of);
    },
  };
}

type Recording = (
  act: Action,
  on: { readonly layer: MirrorId; readonly wanted?: object },
  by: Doer,
) => Promise<void>;

function changeDeeds(
  { store, clock }: Pick<OperatorServiceDeps, 'store' | 'clock'>,
  record: Recording,
) {
  const keep = async (act: Action, id: string, by: Doer, more: object = {}) => {
    const known = await readDatedChanges(store, clock.nowMs());
    const change = known.find((each) => each.id === id);
    if (change === undefined) return;
    const guards = change.preview?.guards ?? [];
    await record(act, { layer: change.layer, wanted: { change: id, guards, ...more } }, by);
  };
  return {
    changes: async () => {
      const nowMs = clock.nowMs();
      return { nowMs, changes: await readDatedChanges(store, nowMs) };
    },
    /** Possible until its instant. */
    confirm: async (id: string, remark: string | null, by: Doer) => {
      await keep('confirm', id, by, { remark });
      return await confirmChange(store, { id, nowMs: clock.nowMs(), by: by.who, remark });
    },
    unconfirm: async (id: string, by: Doer) => {
      await keep('unconfirm', id, by);
      return await unconfirmChange(store, { id, nowMs: clock.nowMs() });
    },
  };
}
