/**
 * Back to the version before: a run whose source is the mirror's own history. What it publishes is
 * a new version with the old content, through the same derivations and the same one transaction.
 */
import { LIMITS } from '../src/kernel/limits.ts';
import { layerOf } from '../src/layers/catalogue.ts';
import type { Layer } from '../src/layers/catalogue.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { ADDRESS_REVERT } from './addresses/revert.ts';
import { announce } from './announce.ts';
import { ClaimLost, apply } from './apply.ts';
import { beat, claim, finish, keepBeating, runSignal } from './claim.ts';
import { classify } from './classify.ts';
import { noCounts } from './deps.ts';
import type { Phase, Publication, Run, RunOutcome } from './deps.ts';
import { derive } from './derive.ts';
import { diff } from './diff.ts';
import { latestStep, stageStep } from './history.ts';
import type { Step } from './history.ts';
import { reasonOf } from './run.ts';
import type { RevertDeps, RevertWay, Reverting } from './revert-terms.ts';
import { countStage } from './stage.ts';
import { tidy } from './tidy.ts';

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
    const way = layerId === ADDRESSES ? ADDRESS_REVERT : wayOf(layerOf(deps.catalogue, layerId));
    const revert = new Revert(deps, way, {
      id: claimed.runId,
      startedAtMs,
      by,
      signal: options.signal,
    });
    const end = await revert.run();
    if (end === null) return { layer: layerId, state: 'nothing' };
    return { ...ended(claimed.runId, revert.counts), ...end };
  } catch (error) {
    const reason = reasonOf(error, deps);
    log.error({ layer: layerId, reason }, 'revert could not be recorded');
    return { ...ended(null), state: 'failed', phase: 'claim', reason };
  }
}

type End =
  | { readonly state: 'published'; readonly publication: Publication }
  | { readonly state: 'failed'; readonly phase: Phase; readonly reason: string };

/** Leads one claimed revert to its end. */
class Revert implements Reverting {
  readonly id: string;
  readonly startedAtMs: number;
  readonly by: string;
  readonly counts = noCounts();
  readonly signal: AbortSignal;
  readonly #deps: RevertDeps;
  readonly #way: RevertWay;
  readonly #lost = new AbortController();
  #phase: Phase = 'claim';

  constructor(
    deps: RevertDeps,
    way: RevertWay,
    claimed: Pick<Reverting, 'id' | 'startedAtMs' | 'by'> & {
      readonly signal: AbortSignal | undefined;
    },
  ) {
    this.#deps = deps;
    this.#way = way;
    this.id = claimed.id;
    this.startedAtMs = claimed.startedAtMs;
    this.by = claimed.by;
    this.signal = runSignal(this.#lost.signal, claimed.signal);
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
      const step = await latestStep(store.db, this.#way.layer);
      if (step !== null) return { state: 'published', publication: await this.#take(step) };
      await finish(store, this.#record(), { state: 'forgotten', nowMs: clock.nowMs() });
      return null;
    } catch (error) {
      const cause: unknown = this.signal.aborted ? this.signal.reason : error;
      const reason = reasonOf(cause, this.#deps);
      const { layer } = this.#way;
      log.error(
        { layer, run: this.id, phase: this.#phase, by: this.by, reason, err: cause },
        `revert of ${layer} failed in ${this.#phase}: ${reason}`,
      );
      await finish(store, this.#record(), { state: 'failed', reason, nowMs: clock.nowMs() });
      return { state: 'failed', phase: this.#phase, reason };
    } finally {
      heart.stop();
    }
  }

  async #take(step: Step): Promise<Publication> {
    const publication = await this.#way.take(this.#deps, this, step);
    // Committed: nothing below may turn this into a failure.
    this.#phase = 'announce';
    announce(this.#deps, publication);
    await this.#way.tidy(this.#deps, this);
    return publication;
  }

  async enter(phase: Phase): Promise<void> {
    this.signal.throwIfAborted();
    this.#phase = phase;
    const held = await beat(this.#deps.store, this.#record(), this.#deps.clock.nowMs());
    if (!held) throw new ClaimLost();
  }

  #record() {
    return { id: this.id, phase: this.#phase, counts: this.counts };
  }
}

/** The way of a layer: through the phases it shares with a sync. */
function wayOf(layer: Layer): RevertWay {
  const runOf = ({ id, startedAtMs, counts, signal }: Reverting) => ({
    id,
    layer,
    startedAtMs,
    counts,
    replay: null,
    signal,
    report: () => undefined,
  });
  return {
    layer: layer.id,
    take: (deps, reverting, step) =>
      takeLayerStep(deps, { reverting, run: runOf(reverting) }, step),
    tidy: (deps, reverting) => tidy(deps, runOf(reverting), true),
  };
}

async function takeLayerStep(
  deps: RevertDeps,
  { reverting, run }: { readonly reverting: Reverting; readonly run: Run },
  step: Step,
): Promise<Publication> {
  const { store, clock } = deps;

  await reverting.enter('fetch');
  await stageStep(store.db, run, step);

  await reverting.enter('diff');
  const { rows } = await countStage(store, run.id);
  if (rows !== step.rowCount) {
    throw new Error(`The history gives ${rows} rows; the earlier version had ${step.rowCount}.`);
  }
  const expected = await diff(store.db, run.id, run.layer);
  Object.assign(run.counts, expected, { staged: rows });
  run.counts.changes = await classify(deps, run, expected.changed);

  await reverting.enter('derive');
  const derived = await derive(store, run);

  await reverting.enter('apply');
  return await apply(store, run, {
    expected,
    derived,
    nowMs: clock.nowMs(),
    reversal: { step, by: reverting.by },
  });
}
