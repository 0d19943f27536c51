/** One process leads (lease.ts); the others run only what a person asks of them. */
import { mirroredOf } from '../src/layers/catalogue.ts';
import { MIRROR_IDS } from '../src/layers/mirror-ids.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { isOutdated } from '../src/layers/published-copy.ts';
import { storeClock } from '../src/db/store-clock.ts';
import { readLayerFacts } from '../src/ops/freshness.ts';
import { sweep } from '../src/ops/retention-sweep.ts';
import type { LayerFacts } from '../src/ops/freshness.ts';
import { numberReplication } from '../src/replication/number.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { isServerUnavailable } from '../src/kernel/server-unavailable.ts';
import { prepareNext } from './dated/prepare.ts';
import { preparePreviews } from './dated/preview.ts';
import { writeAnnouncements } from './dated/settle.ts';
import { watchDates } from './dated/watch.ts';
import type { SyncDeps, Trigger } from './deps.ts';
import { isDue } from './due.ts';
import { SyncQueue } from './queue.ts';
import type { RequestOptions, SyncRequest } from './queue.ts';
import { Leader } from './lease.ts';
import type { Lease } from './lease.ts';
import { revertLayer } from './revert.ts';
import type { RevertOutcome } from './revert.ts';
import { isConfigured } from './run.ts';

export interface SyncService {
  requestSync(layer: MirrorId, trigger: Trigger, options?: RequestOptions): SyncRequest;
  /** See revertLayer. Never rejects. */
  revert(layer: MirrorId, by: string, of?: number): Promise<RevertOutcome>;
  /** Requests every due layer, regions first. Also called each minute. */
  requestDue(): Promise<readonly MirrorId[]>;
  idle(): Promise<void>;
  /** Aborts what runs, and resolves when their ends are recorded. */
  stop(): Promise<void>;
}

/** Where this process leads, requests missing and missed layers at once. */
export function startSync(given: SyncDeps): SyncService {
  let onTaken = (): void => undefined;
  const leader = new Leader({ ...given, onTaken: () => onTaken() });
  const deps: SyncDeps = { ...given, leader };
  const queue = new SyncQueue(deps, deps.store.kind === 'embedded' ? 1 : LIMITS.syncParallel);
  const requestDue = () => requestWhatIsDue(deps, queue);
  const dates = watchDates({ ...deps, onDue: (layer) => queue.request(layer, 'dated') });
  const stopping = new AbortController();
  const ahead = lookingAhead(deps, stopping.signal);
  const tick = async () => {
    await requestDue().catch((error: unknown) => {
      if (!isServerUnavailable(error))
        deps.log.error({ err: error }, 'the layers due could not be read');
    });
    await dates.look();
    ahead.look(leader.current());
  };
  const clockwork = everyMinute(tick);
  const begin = async () => {
    await leader.start();
    await announce(deps);
    await tick();
  };
  let first = begin();
  void first.then(() => {
    onTaken = () => {
      first = first.then(tick);
    };
  });
  const reverts = new Set<Promise<RevertOutcome>>();
  return {
    revert: async (layer, by, of) => {
      const revert = revertLayer(deps, layer, { by, of, signal: stopping.signal });
      reverts.add(revert);
      return await revert.finally(() => reverts.delete(revert));
    },
    requestSync: (layer, trigger, options) => queue.request(layer, trigger, options),
    requestDue: async () => {
      await dates.look();
      return await requestDue();
    },
    idle: async () => {
      await first;
      await ahead.done();
      await queue.idle();
    },
    stop: async () => {
      dates.stop();
      clockwork.stop();
      await first;
      stopping.abort(new Error('The service was stopped.'));
      await ahead.done();
      await Promise.all([queue.stop(), ...reverts]);
      await leader.stop();
    },
  };
}

function lookingAhead(deps: SyncDeps, stopping: AbortSignal) {
  const ahead = whileLeading(stopping, async (signal) => {
    await preparePreviews(deps, signal);
    await prepareNext(deps, signal);
  });
  const all = [
    ahead,
    whileLeading(stopping, (signal) => sweepOld(deps, signal)),
    whileLeading(stopping, (signal) => numberChanges(deps, signal)),
  ];
  return {
    look: (lease: Lease | null): void => all.forEach((work) => work.look(lease)),
    done: async (): Promise<void> => {
      for (const work of all) await work.done();
    },
  };
}

async function numberChanges(deps: SyncDeps, signal: AbortSignal): Promise<void> {
  const { store, isReplicated = false, log } = deps;
  if (!isReplicated) return;
  await numberReplication(store, signal).catch((err: unknown) => {
    if (signal.aborted || isServerUnavailable(err)) return;
    log.error({ err }, 'changes could not be numbered for replication');
  });
}

async function sweepOld({ store, retention, log }: SyncDeps, signal: AbortSignal): Promise<void> {
  if (retention === undefined) return;
  await sweep({
    ...{ store, days: retention, signal },
    onFailed: (table, err) => {
      if (isServerUnavailable(err)) return;
      log.warn({ err, table }, 'what is past its retention could not be removed');
    },
  });
}

/** Work of the leader that may take long, once at a time; nothing that is due waits for it. */
function whileLeading(stopping: AbortSignal, work: (signal: AbortSignal) => Promise<void>) {
  let going: Promise<void> | null = null;
  return {
    look: (lease: Lease | null): void => {
      if (lease === null || going !== null) return;
      going = work(AbortSignal.any([stopping, lease.signal])).finally(() => {
        going = null;
      });
    },
    done: async (): Promise<void> => {
      await going;
    },
  };
}

async function requestWhatIsDue(deps: SyncDeps, queue: SyncQueue): Promise<readonly MirrorId[]> {
  if (deps.leader?.current() === null) return [];
  const nowMs = (await storeClock(deps.store, deps)).nowMs();
  const { layers } = await readLayerFacts(deps.store);
  return MIRROR_IDS.filter((layer) => {
    const facts = layers.get(layer) ?? NEVER;
    if (!isConfigured(mirroredOf(deps.catalogue, layer), deps.keys)) return false;
    if (!isDue(layer, facts, nowMs)) return false;
    return queue.request(layer, triggerOf(facts, nowMs)) === 'queued';
  });
}

/** What the settings announce, for every process over this store. Never rejects. */
async function announce({ store, catalogue, clock, log }: SyncDeps): Promise<void> {
  for (const { id, announcements = [] } of Object.values(catalogue.areas)) {
    const nowMs = clock.nowMs();
    await writeAnnouncements(store, id, { announcements, nowMs }).catch((error: unknown) => {
      log.error({ err: error, layer: id }, 'what is announced of a layer could not be kept');
    });
  }
}

function triggerOf({ state }: LayerFacts, nowMs: number): Trigger {
  if (state === null) return 'start';
  return isOutdated(state, nowMs) ? 'dated' : 'schedule';
}

const NEVER: LayerFacts = { state: null, lastRun: null };

const MINUTE_MS = 60_000;

/** Calls `tick`, which never rejects, every minute until stopped, whatever the clock is set to. */
export function everyMinute(tick: () => Promise<void>): { stop(): void } {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void tick().finally(() => {
      isRunning = false;
    });
  }, MINUTE_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
