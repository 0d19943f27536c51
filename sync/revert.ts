/**
 * Back to the version before: a run whose source is the mirror's own history. What it publishes is
 * a new version with the old content, through the same derivations and the same one transaction.
 */
import { LIMITS } from '../src/kernel/limits.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { announce } from './announce.ts';
import type { RunOutcome, SyncDeps } from './deps.ts';
import { latestStep } from './history.ts';
import { leadRun } from './sync-run.ts';
import type { SyncRun } from './sync-run.ts';

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
  deps: SyncDeps,
  layer: MirrorId,
  options: RevertOptions,
): Promise<RevertOutcome> {
  const by = options.by.slice(0, LIMITS.askedByChars);
  const request = { ...options, by, layer, kind: 'revert', trigger: 'operator' } as const;
  const outcome = await leadRun(deps, request, (run) => stepBack(deps, layer, run));
  // Never so: whoever reverts is a person, whom no hold turns away.
  return outcome.state === 'held' ? { layer, state: 'busy', sinceMs: outcome.sinceMs } : outcome;
}

async function stepBack(deps: SyncDeps, layer: MirrorId, run: SyncRun): Promise<RevertOutcome> {
  const step = await latestStep(deps.store.db, layer);
  if (step === null) {
    await run.forget();
    return { layer, state: 'nothing' };
  }
  const publication = await run.mirror.revert(step);
  run.announced();
  announce(deps, publication);
  await run.mirror.tidy();
  return { ...run.ran(), state: 'published', publication };
}
