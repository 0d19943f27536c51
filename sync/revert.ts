/**
 * Back to the version before: a run whose source is the mirror's own history. What it publishes is
 * a new version with the old content, through the same derivations and the same one transaction.
 */
import { LIMITS } from '../src/kernel/limits.ts';
import { layerOf } from '../src/layers/catalogue.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { announce } from './announce.ts';
import { ClaimLost, apply } from './apply.ts';
import { beat, claim, finish, keepBeating, runSignal } from './claim.ts';
import { classify } from './classify.ts';
import { noCounts } from './deps.ts';
import type { Phase, Publication, Run, RunOutcome, SyncDeps } from './deps.ts';
import { derive } from './derive.ts';
import { diff } from './diff.ts';
import { latestStep, stageStep } from './history.ts';
import type { Step } from './history.ts';
import { reasonOf } from './run.ts';
import { countStage } from './stage.ts';
import { tidy } from './tidy.ts';

export type RevertDeps = Pick<
  SyncDeps,
  'store' | 'catalogue' | 'keys' | 'clock' | 'log' | 'onPublished'
>;

export interface RevertOptions {
  /** Who asks; kept with the run and with the hold. */
  readonly by: string;
  readonly signal?: AbortSignal;
}

/** How a revert ended: as a run ends, or there was no earlier version to go back to. */
export type RevertOutcome =
  | Extract<RunOutcome, { readonly state: 'published' | 'failed' | 'busy' }>
  | { readonly layer: MirrorId; readonly state: 'nothing' };

/**
 * Publishes the version before the present one again, under a new version and generation, and holds
 * the layer: no run of its own accord touches it until a person asks for a sync. Going back twice
 * goes back two versions. Always resolves; readers see the one version or the other.
 */
export async function revertLayer(
  deps: RevertDeps,
  layerId: MirrorId,
  options: RevertOptions,
): Promise<RevertOutcome> {
  // No step back is kept of the addresses: a total holds the whole register again.
  if (layerId === ADDRESSES) return { layer: layerId, state: 'nothing' };
  const { store, clock, log } = deps;
  const startedAtMs = clock.nowMs();
  const by = options.by.slice(0, LIMITS.askedByChars);
  const ended = (runId: string | null, counts = noCounts()) => ({
    layer: layerId,
    runId,
    counts,
    elapsedMs: clock.nowMs() - startedAtMs,
  });
  try {
    const claimed = await claim(store, {
      layer: layerId,
      trigger: 'operator',
      kind: 'revert',
      by,
      liftedGuards: [],
      nowMs: startedAtMs,
    });
    if (claimed.kind !== 'claimed') {
      return { layer: layerId, state: 'busy', sinceMs: claimed.sinceMs };
    }
    const reverting = new Reverting(
      deps,
      { ...options, by },
      {
        id: claimed.runId,
        layer: layerOf(deps.catalogue, layerId),
        startedAtMs,
      },
    );
    const end = await reverting.run();
    if (end === null) return { layer: layerId, state: 'nothing' };
    return { ...ended(claimed.runId, reverting.counts), ...end };
  } catch (error) {
    const reason = reasonOf(error, deps);
    log.error({ layer: layerId, reason }, 'revert could not be recorded');
    return { ...ended(null), state: 'failed', phase: 'claim', reason };
  }
}

type End =
  | { readonly state: 'published'; readonly publication: Publication }
  | { readonly state: 'failed'; readonly phase: Phase; readonly reason: string };

/** Leads one claimed revert through the phases it shares with a sync. */
class Reverting {
  readonly #deps: RevertDeps;
  readonly #by: string;
  readonly #run: Run;
  readonly #lost = new AbortController();
  #phase: Phase = 'claim';

  constructor(
    deps: RevertDeps,
    { by, signal }: RevertOptions,
    claimed: Pick<Run, 'id' | 'layer' | 'startedAtMs'>,
  ) {
    this.#deps = deps;
    this.#by = by;
    this.#run = {
      ...claimed,
      counts: noCounts(),
      replay: null,
      signal: runSignal(this.#lost.signal, signal),
      report: () => undefined,
    };
  }

  get counts() {
    return this.#run.counts;
  }

  /** null: no step is kept, and the run is forgotten. */
  async run(): Promise<End | null> {
    const { store, clock, log } = this.#deps;
    const heart = keepBeating({
      store,
      clock,
      log,
      current: () => this.#record(),
      onLost: () => this.#lost.abort(new ClaimLost()),
    });
    try {
      const step = await latestStep(store.db, this.#run.layer.id);
      if (step !== null) return { state: 'published', publication: await this.#take(step) };
      await finish(store, this.#record(), { state: 'forgotten', nowMs: clock.nowMs() });
      return null;
    } catch (error) {
      const cause: unknown = this.#run.signal.aborted ? this.#run.signal.reason : error;
      const reason = reasonOf(cause, this.#deps);
      const { id, layer } = this.#run;
      log.warn({ layer: layer.id, run: id, phase: this.#phase, reason }, 'revert failed');
      await finish(store, this.#record(), { state: 'failed', reason, nowMs: clock.nowMs() });
      return { state: 'failed', phase: this.#phase, reason };
    } finally {
      heart.stop();
    }
  }

  async #take(step: Step): Promise<Publication> {
    const run = this.#run;
    const { store, clock } = this.#deps;

    await this.#enter('fetch');
    await stageStep(store.db, run, step);

    await this.#enter('diff');
    const { rows } = await countStage(store, run.id);
    if (rows !== step.rowCount) {
      throw new Error(`The history gives ${rows} rows; the earlier version had ${step.rowCount}.`);
    }
    const expected = await diff(store.db, run.id, run.layer);
    Object.assign(run.counts, expected, { staged: rows });
    run.counts.changes = await classify(this.#deps, run, expected.changed);

    await this.#enter('derive');
    const derived = await derive(store, run);

    await this.#enter('apply');
    const publication = await apply(store, run, {
      expected,
      derived,
      nowMs: clock.nowMs(),
      reversal: { step, by: this.#by },
    });

    // Committed: nothing below may turn this into a failure.
    this.#phase = 'announce';
    announce(this.#deps, publication);
    await tidy(this.#deps, run, true);
    return publication;
  }

  async #enter(phase: Phase): Promise<void> {
    this.#run.signal.throwIfAborted();
    this.#phase = phase;
    const held = await beat(this.#deps.store, this.#record(), this.#deps.clock.nowMs());
    if (!held) throw new ClaimLost();
  }

  #record() {
    return { id: this.#run.id, phase: this.#phase, counts: this.#run.counts };
  }
}
