import { LAYER_IDS } from '../src/layers/keys.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { syncDated } from './dated/run.ts';
import type { RunOutcome, SyncDeps } from './deps.ts';
import type { SyncOptions } from './run.ts';
import { syncLayer } from './run.ts';

/** Always resolves to the outcome. */
export async function syncMirror(
  deps: SyncDeps,
  id: MirrorId,
  options: Omit<SyncOptions, 'replay'>,
): Promise<RunOutcome> {
  const { trigger, signal } = options;
  // Only layers have dates.
  const layer = trigger === 'dated' ? LAYER_IDS.find((each) => each === id) : undefined;
  return layer !== undefined && signal !== undefined
    ? await syncDated(deps, layer, { signal })
    : await syncLayer(deps, id, options);
}
