/**
 * One sync of one layer, from claim to announcement. The order of the phases is all there is here;
 * each phase has its own file. Whatever is thrown ends the run as failed, with the mirror untouched.
 */
import { layerOf, sourceHostOf } from '../src/layers/catalogue.ts';
import type { Mirrored } from '../src/layers/catalogue.ts';
import type { LayerId } from '../src/layers/keys.ts';
import { announce } from './announce.ts';
import { ClaimLost, apply, confirm } from './apply.ts';
import type { Refusal } from './check.ts';
import { beat, claim, finish, hasCopy, keepBeating, runSignal } from './claim.ts';
import type { Ending } from './claim.ts';
import { classify } from './classify.ts';
import { noCounts } from './deps.ts';
import type {
  ApiKeys,
  Phase,
  Progress,
  Replay,
  Run,
  RunOutcome,
  SyncDeps,
  Trigger,
} from './deps.ts';
import { readDue } from './dated/carry-out.ts';
import type { DatedReading } from './dated/carry-out.ts';
import { withDatedGuards } from './dated/guards.ts';
import { derive } from './derive.ts';
import { diff, isUnchanged, readLastGood } from './diff.ts';
import type { Difference } from './diff.ts';
import { judge } from './judge.ts';
import { logFailed, logRefused } from './run-log.ts';
import type { RunLogged } from './run-log.ts';
import type { Origin } from './origin.ts';
import { readSource } from './reading.ts';
import type { Reading } from './reading.ts';
import { countStage } from './stage.ts';
import { tidy } from './tidy.ts';

export interface SyncOptions {
  readonly trigger: Trigger;
  /** Guards an operator vouches for, this once; recorded with the run. See LIFTABLE_GUARDS. */
  readonly liftedGuards?: readonly string[];
  /** Who asks, where that is known; kept with the run. */
  readonly by?: string | null;
  /** Stops before anything is published and forgets the run. */
  readonly dryRun?: boolean;
  /** An earlier reading takes the place of the upstream. */
  readonly replay?: Replay;
  /** The layer's own dates take the place of the upstream: see sync/dated. */
  readonly dated?: boolean;
  /** Takes the place of `apply`: several layers may be published as one. */
  readonly publish?: typeof apply;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Brings one layer up to date. Always resolves: how it ended is the value, also when the store
 * itself is down. Publishes whole or not at all.
 */
export async function syncLayer(
  deps: SyncDeps,
  layerId: LayerId,
  options: SyncOptions,
): Promise<RunOutcome> {
  const startedAtMs = deps.clock.nowMs();
  const { trigger, liftedGuards = [], by = null } = options;
  const layer = layerOf(deps.catalogue, layerId);
  const failed = (reason: string): RunOutcome => {
    const elapsedMs = deps.clock.nowMs() - startedAtMs;
    const nothing = { layer: layerId, runId: null, counts: noCounts(), elapsedMs };
    return { ...nothing, state: 'failed', phase: 'claim', reason };
  };
  const asksSource = options.replay === undefined && options.dated !== true;
  if (asksSource && !isConfigured(layer, deps.keys)) {
    return failed(`The host ${layer.source.host} asks for an API key, and none is configured.`);
  }
  try {
    const claimed = await claim(deps.store, {
      layer: layerId,
      trigger,
      liftedGuards,
      nowMs: startedAtMs,
      kind: kindOf(options),
      by: options.replay?.by ?? by,
    });
    if (claimed.kind !== 'claimed') {
      const { kind: state, ...rest } = claimed;
      return { layer: layerId, state, ...rest } as RunOutcome;
    }
    return await new Conductor(deps, options, {
      id: claimed.runId,
      layer,
      startedAtMs,
    }).run();
  } catch (error) {
    // Not even claimed, or not even marked as failed: the store is away. Nothing was published.
    const reason = reasonOf(error, deps);
    logFailed(
      deps.log,
      { layer: layerId, run: null, phase: 'claim', trigger },
      { reason, error, signal: options.signal },
    );
    return failed(reason);
  }
}

function kindOf({ replay, dated }: SyncOptions): 'sync' | 'replay' | 'dated' {
  if (dated === true) return 'dated';
  return replay === undefined ? 'sync' : 'replay';
}

/** Whether the host can be asked at all: some ask for a key that an operator must get. */
export function isConfigured(mirrored: Mirrored, keys: ApiKeys): boolean {
  const source = sourceHostOf(mirrored);
  if (source === null) return false;
  return source.apiKeyParameter === null || keys[source.host] !== undefined;
}

/** Leads one claimed run through its phases and sees to its end. */
class Conductor {
  readonly #deps: SyncDeps;
  readonly #options: SyncOptions;
  readonly #run: Run;
  readonly #lost = new AbortController();
  #phase: Phase = 'claim';

  constructor(
    deps: SyncDeps,
    options: SyncOptions,
    claimed: Pick<Run, 'id' | 'layer' | 'startedAtMs'>,
  ) {
    this.#deps = deps;
    this.#options = options;
    this.#run = {
      ...claimed,
      counts: noCounts(),
      replay: options.replay ?? null,
      signal: runSignal(this.#lost.signal, options.signal),
      report: () => options.onProgress?.(this.#progress()),
    };
  }

  async run(): Promise<RunOutcome> {
    const { store, clock, log } = this.#deps;
    const heart = keepBeating({
      store,
      clock,
      log,
      current: () => this.#record(),
      onLost: () => this.#lost.abort(new ClaimLost()),
    });
    try {
      return await this.#phases();
    } catch (error) {
      return await this.#fail(error);
    } finally {
      heart.stop();
    }
  }

  async #phases(): Promise<RunOutcome> {
    const run = this.#run;
    const { store } = this.#deps;
    Object.assign(run, { layer: await withDatedGuards(store, run.layer) });

    await this.#enter('fetch');
    const { liftedGuards = [] } = this.#options;
    const read = await this.#read(liftedGuards);
    if (read.kind === 'nothing') return await this.#forget();
    if (read.kind === 'refused') return await this.#refuse(read.refusals);
    if (read.kind === 'same') return await this.#confirm(null);

    // Before the check, because how much would change is one of the things that are checked.
    await this.#enter('diff');
    const staged = await countStage(store, run.id);
    const difference = await diff(store.db, run.id, run.layer);
    const lastGood = await readLastGood(store.db, run.layer);
    Object.assign(run.counts, difference, { staged: staged.rows });
    if (difference.changed > 0) {
      run.counts.changes = await classify(this.#deps, run, difference.changed);
    }

    await this.#enter('check');
    const found = { staged, difference, lastGood, liftedGuards };
    const refusals = await judge(store.db, run, found);
    if (refusals.length > 0) return await this.#refuse(refusals);
    if (lastGood !== null && isUnchanged(difference)) {
      return await this.#confirm(this.#asksSource ? read.origin : null);
    }
    if (this.#options.dryRun === true) {
      await this.#end({ state: 'forgotten' });
      return { ...this.#ran(), state: 'would-publish' };
    }
    return await this.#publish(difference, read);
  }

  /** The source, or what the layer's own dates lead to. */
  async #read(liftedGuards: readonly string[]): Promise<Reading | DatedRead> {
    if (this.#options.dated === true) {
      const due = await readDue(this.#deps, this.#run);
      return due === null ? { kind: 'nothing' } : { kind: 'staged', ...due };
    }
    // A dry run leaves no trace, in the archive neither.
    const archive = this.#options.dryRun === true ? undefined : this.#deps.archive;
    return await readSource({ ...this.#deps, archive }, this.#run, liftedGuards);
  }

  /** Whether what is read is the source as it is now. */
  get #asksSource(): boolean {
    return this.#run.replay === null && this.#options.dated !== true;
  }

  async #publish(expected: Difference, read: Staged): Promise<RunOutcome> {
    const run = this.#run;
    const { store, clock } = this.#deps;
    await this.#enter('derive');
    const derived = await derive(store, run);

    await this.#enter('apply');
    const { origin, provedAtMs } = read;
    const { publish = apply } = this.#options;
    const publication = await publish(store, run, {
      expected,
      derived,
      nowMs: clock.nowMs(),
      ...(run.replay === null && origin !== null && { origin }),
      ...(provedAtMs !== undefined && { provedAtMs }),
    });

    // Committed: nothing below may turn this run into a failure.
    this.#phase = 'announce';
    run.report();
    announce(this.#deps, publication);
    await tidy(this.#deps, run, true);
    return { ...this.#ran(), state: 'published', publication };
  }

  /** Another process has carried the change out, or there was none. */
  async #forget(): Promise<RunOutcome> {
    await this.#end({ state: 'forgotten' });
    return { ...this.#ran(), state: 'unchanged' };
  }

  async #refuse(refusals: readonly Refusal[]): Promise<RunOutcome> {
    const copy = await hasCopy(this.#deps.store, this.#run.layer.id);
    logRefused(this.#deps.log, this.#logged(), { refusals, hasCopy: copy });
    await this.#end({ state: 'refused', refusals });
    return { ...this.#ran(), state: 'refused', refusals, hasCopy: copy };
  }

  /** The source equals the copy. `origin`: how that was read; null where nothing was. */
  async #confirm(origin: Origin | null): Promise<RunOutcome> {
    const { store, clock } = this.#deps;
    if (this.#options.dryRun === true) await this.#end({ state: 'forgotten' });
    else {
      await this.#enter('apply');
      await confirm(store, this.#run, { nowMs: clock.nowMs(), origin, proves: this.#asksSource });
      await tidy(this.#deps, this.#run, false);
    }
    return { ...this.#ran(), state: 'unchanged' };
  }

  /** Moves to a phase, on record; a run that has lost its layer stops here. */
  async #enter(phase: Phase): Promise<void> {
    this.#run.signal.throwIfAborted();
    this.#phase = phase;
    this.#run.report();
    const held = await beat(this.#deps.store, this.#record(), this.#deps.clock.nowMs());
    if (!held) throw new ClaimLost();
  }

  async #fail(error: unknown): Promise<RunOutcome> {
    // An aborted fetch surfaces as many kinds of error; the signal knows why.
    const cause: unknown = this.#run.signal.aborted ? this.#run.signal.reason : error;
    const reason = reasonOf(cause, this.#deps);
    const phase = this.#phase;
    logFailed(this.#deps.log, this.#logged(), {
      reason,
      error: cause,
      signal: this.#options.signal,
    });
    await this.#end({ state: 'failed', reason });
    return { ...this.#ran(), state: 'failed', phase, reason };
  }

  async #end(ending: Ending): Promise<void> {
    const dry = this.#options.dryRun === true;
    const { store, clock } = this.#deps;
    const end: Ending = dry ? { state: 'forgotten' } : ending;
    await finish(store, this.#record(), { ...end, nowMs: clock.nowMs() });
  }

  #record() {
    return { id: this.#run.id, phase: this.#phase, counts: this.#run.counts };
  }

  #logged(): RunLogged {
    const { id: run, layer } = this.#run;
    return { layer: layer.id, run, phase: this.#phase, trigger: this.#options.trigger };
  }

  #ran() {
    const { id: runId, layer, counts, startedAtMs } = this.#run;
    return { layer: layer.id, runId, counts, elapsedMs: this.#deps.clock.nowMs() - startedAtMs };
  }

  #progress(): Progress {
    const { layer, counts, startedAtMs } = this.#run;
    return {
      layer: layer.id,
      phase: this.#phase,
      pages: counts.pages,
      features: counts.received,
      announced: counts.announced.at(-1) ?? null,
      elapsedMs: this.#deps.clock.nowMs() - startedAtMs,
    };
  }
}

/** What the layer's own dates lead to; `nothing`: no date has come. */
type DatedRead = { readonly kind: 'nothing' } | ({ readonly kind: 'staged' } & DatedReading);

/** A copy on the stage. */
interface Staged {
  readonly origin: Origin | null;
  readonly provedAtMs?: number;
}

/** One line for the record, free of the keys that addresses may carry. */
export function reasonOf(error: unknown, { keys }: Pick<SyncDeps, 'keys'>): string {
  const text = error instanceof Error ? error.message : String(error);
  return Object.values(keys).reduce((clean, key) => clean.replaceAll(key, '***'), text);
}
