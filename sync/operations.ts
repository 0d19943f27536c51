import { mirroredOf } from '../src/layers/catalogue.ts';
import type { Operations, SyncAnswer } from '../src/ops/operations.ts';
import { LIFTABLE_GUARDS } from './check.ts';
import type { SyncDeps } from './deps.ts';
import type { SyncRequest } from './queue.ts';
import { isConfigured } from './run.ts';
import type { SyncService } from './start.ts';

/** `paused` and `following` are only given to lookups. */
const ANSWERS: Readonly<Record<SyncRequest, SyncAnswer>> = {
  queued: 'queued',
  waiting: 'running',
  paused: 'running',
  full: 'full',
  stopped: 'stopped',
  following: 'stopped',
};

export function syncOperations(
  running: () => Pick<SyncService, 'requestSync' | 'revert'> | undefined,
  { catalogue, keys }: Pick<SyncDeps, 'catalogue' | 'keys'>,
): Operations {
  return {
    liftableGuards: LIFTABLE_GUARDS,
    requestSync: (layer, asked) => {
      if (!isConfigured(mirroredOf(catalogue, layer), keys)) return 'unconfigured';
      const answer = running()?.requestSync(layer, 'operator', asked) ?? 'stopped';
      return ANSWERS[answer];
    },
    revert: async (layer, by, of) => {
      const outcome = await running()?.revert(layer, by, of);
      if (outcome === undefined) return { state: 'failed', reason: 'The sync has not started.' };
      if (outcome.state !== 'published') return outcome;
      return { ...outcome.publication, state: 'reverted' };
    },
  };
}
