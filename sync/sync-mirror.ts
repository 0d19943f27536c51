/** One sync of whatever is mirrored: a layer of features, or the address register. */
import { ADDRESSES } from '../src/layers/keys.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { syncAddresses } from './addresses/run.ts';
import { syncDated } from './dated/run.ts';
import type { RunOutcome, SyncDeps } from './deps.ts';
import type { SyncOptions } from './run.ts';
import { syncLayer } from './run.ts';

/** Always resolves: how it ended is the value. */
export async function syncMirror(
  deps: SyncDeps,
  id: MirrorId,
  options: Omit<SyncOptions, 'replay'>,
): Promise<RunOutcome> {
  const { trigger, signal } = options;
  if (trigger === 'dated' && id !== ADDRESSES && signal !== undefined) {
    return await syncDated(deps, id, { signal });
  }
  return id === ADDRESSES ? await syncAddresses(deps, options) : await syncLayer(deps, id, options);
}
