/** The phases are the mirror's (mirror.ts); claim, heartbeat and end are in sync-run.ts. */
import { mirroredOf, sourceHostOf } from '../src/layers/catalogue.ts';
import type { Mirrored } from '../src/layers/catalogue.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { announce } from './announce.ts';
import type { ApiKeys, RunOutcome, SyncDeps } from './deps.ts';
import { failedUnclaimed, leadRun } from './sync-run.ts';
import type { RunRequest, SyncRun } from './sync-run.ts';

export type SyncOptions = Omit<RunRequest, 'layer' | 'kind'>;

/**
 * Always resolves to the outcome, even when the store is down. Publishes whole or not at all; a dry
 * run stops before that and deletes the run.
 */
export async function syncLayer(
  deps: SyncDeps,
  layer: MirrorId,
  options: SyncOptions,
): Promise<RunOutcome> {
  const { replay, dated = false, by = null } = options;
  const mirrored = mirroredOf(deps.catalogue, layer);
  if (replay === undefined && !dated && !isConfigured(mirrored, deps.keys)) {
    const host = sourceHostOf(mirrored)?.host ?? layer;
    const reason = isOff(mirrored)
      ? 'SOURCES_FILE leaves the layer out.'
      : `The host ${host} asks for an API key, and none is configured.`;
    return failedUnclaimed(deps, { layer, reason, startedAtMs: deps.clock.nowMs() });
  }
  const kind = dated ? 'dated' : replay === undefined ? 'sync' : 'replay';
  const request = { ...options, layer, kind, by: replay?.by ?? by } as const;
  return await leadRun(deps, request, (run) => phases(deps, request, run));
}

export function isOff(mirrored: Mirrored): boolean {
  return 'off' in mirrored && mirrored.off;
}

/** Some hosts need a key that an operator must get. */
export function isConfigured(mirrored: Mirrored, keys: ApiKeys): boolean {
  const source = sourceHostOf(mirrored);
  if (source === null || isOff(mirrored)) return false;
  return source.apiKeyParameter === null || keys[source.host] !== undefined;
}

async function phases(
  deps: SyncDeps,
  { dryRun = false, replay, dated = false, layer }: RunRequest,
  run: SyncRun,
): Promise<RunOutcome> {
  const { mirror } = run;
  await run.enter('fetch');
  if (replay === undefined && !dated) {
    await deps.reach?.require(mirroredOf(deps.catalogue, layer));
  }
  const read = await mirror.read();
  if (read.kind === 'refused') return await run.refuse(read.refusals);
  if (read.kind === 'nothing') {
    // Another process has done it, or there was nothing to do.
    await run.forget();
    return { ...run.ran(), state: 'unchanged' };
  }
  if (read.kind === 'same') return await confirm(run, dryRun);

  // Before the check, which needs the amount of change.
  await run.enter('diff');
  await mirror.compare();

  await run.enter('check');
  const refusals = await mirror.judge();
  if (refusals.length > 0) return await run.refuse(refusals);
  if (mirror.isUnchanged()) return await confirm(run, dryRun);
  if (dryRun) {
    await run.forget();
    return { ...run.ran(), state: 'would-publish' };
  }

  if (mirror.derive !== undefined) {
    await run.enter('derive');
    await mirror.derive();
  }
  await run.enter('apply');
  const publication = await mirror.publish();
  run.announced();
  announce(deps, publication);
  await mirror.tidy();
  return { ...run.ran(), state: 'published', publication };
}

async function confirm(run: SyncRun, dryRun: boolean): Promise<RunOutcome> {
  if (dryRun) await run.forget();
  else {
    await run.enter('apply');
    await run.mirror.confirm();
    await run.mirror.tidy();
  }
  return { ...run.ran(), state: 'unchanged' };
}
