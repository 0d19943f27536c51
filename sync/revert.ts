import { layerState } from '../src/ops/operator-acts.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { announce } from './announce.ts';
import type { RunOutcome, SyncDeps } from './deps.ts';
import { latestStep } from './history.ts';
import { leadRun } from './sync-run.ts';
import type { SyncRun } from './sync-run.ts';

export interface RevertOptions {
  readonly by: string;
  readonly of?: number | undefined;
  readonly signal?: AbortSignal;
}

export type RevertOutcome =
  | Extract<RunOutcome, { readonly state: 'published' | 'failed' | 'busy' }>
  | { readonly layer: MirrorId; readonly state: 'nothing' }
  | { readonly layer: MirrorId; readonly state: 'moved' };

/** Publishes a new generation and holds the layer until a person requests a sync. Never rejects. */
export async function revertLayer(
  deps: SyncDeps,
  layer: MirrorId,
  options: RevertOptions,
): Promise<RevertOutcome> {
  const by = options.by.slice(0, LIMITS.askedByChars);
  const request = { ...options, by, layer, kind: 'revert', trigger: 'operator' } as const;
  const outcome = await leadRun(deps, request, (run) => stepBack(deps, request, run));
  // Impossible: a revert is a person's request, which no hold refuses.
  return outcome.state === 'held' ? { layer, state: 'busy', sinceMs: outcome.sinceMs } : outcome;
}

type Asked = Pick<RevertOptions, 'of'> & { readonly layer: MirrorId };

async function stepBack(deps: SyncDeps, asked: Asked, run: SyncRun): Promise<RevertOutcome> {
  const { layer, of } = asked;
  const step = await latestStep(deps.store.db, layer);
  // While this run goes on nothing else is published (D283).
  const hasMoved = of !== undefined && of !== (await layerState(deps.store, layer))?.version;
  if (step === null || hasMoved) {
    await run.forget();
    return { layer, state: hasMoved ? 'moved' : 'nothing' };
  }
  const publication = await run.mirror.revert(step);
  run.announced();
  announce(deps, publication);
  await run.mirror.tidy();
  return { ...run.ran(), state: 'published', publication };
}
