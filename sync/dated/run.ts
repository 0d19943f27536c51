/** Reads the store's rows, else the source. Layers of one instant are published as one. */
import { allRows } from '../../src/db/rows.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { RunOutcome, SyncDeps } from '../deps.ts';
import { syncLayer } from '../run.ts';
import type { SyncOptions } from '../run.ts';
import { dueTogether } from './carry-out.ts';
import { instantText } from './stage.ts';
import { JointPublication } from './together.ts';

/** Runs the layer and those that change with it. Always resolves to the layer's outcome. */
export async function syncDated(
  deps: SyncDeps,
  layer: LayerId,
  { signal }: { readonly signal: AbortSignal },
): Promise<RunOutcome> {
  const due = await dueTogether(deps.store.db, layer, deps.clock.nowMs()).catch(() => []);
  const options = { signal, trigger: 'dated' as const };
  const outcomes = await runTogether(deps, inOrder(due), options);
  const own = outcomes.get(layer);
  if (own !== undefined) return own;
  // A file may bring what the store's rows do not.
  const open = await readOverdue(deps, layer).catch(() => []);
  return await runOne(deps, layer, { ...options, dated: open.length === 0 });
}

/**
 * Each is claimed before the next starts: of two processes one carries out all. A busy one and
 * those after it are requested again.
 */
async function runTogether(
  deps: SyncDeps,
  layers: readonly LayerId[],
  options: SyncOptions,
): Promise<ReadonlyMap<LayerId, RunOutcome>> {
  const outcomes = new Map<LayerId, RunOutcome>();
  const joint = new JointPublication(deps, layers);
  const runs: Promise<void>[] = [];
  for (const layer of layers) {
    const busy = outcomes.values().find(({ state }) => state === 'busy');
    const { promise: claimed, resolve: onProgress } = Promise.withResolvers<unknown>();
    const more = { ...options, dated: true, publish: joint.publish, onProgress };
    const outcome = busy ? Promise.resolve({ ...busy, layer }) : runOne(deps, layer, more);
    const run = outcome.then((each) => {
      outcomes.set(layer, each);
      joint.leave(layer);
    });
    runs.push(run);
    // What is busy is never claimed: its run ends.
    await Promise.race([claimed, run]);
  }
  await Promise.all(runs);
  return outcomes;
}

async function runOne(deps: SyncDeps, layer: LayerId, options: SyncOptions): Promise<RunOutcome> {
  const outcome = await syncLayer(deps, layer, options);
  const open = await readOverdue(deps, layer).catch(() => []);
  if (open.length > 0 && outcome.state !== 'busy') {
    deps.log.error(
      { layer, changes: open, run: outcome.state },
      'a dated change is due and not carried out; the old copy answers, stale',
    );
  }
  return outcome;
}

function inOrder(layers: readonly LayerId[]): readonly LayerId[] {
  return LAYER_IDS.filter((id) => layers.includes(id));
}

async function readOverdue({ store, clock }: SyncDeps, layer: LayerId): Promise<string[]> {
  const rows = await allRows<{ id: string }>(store.db)`
    select id from dated_change where layer = ${layer} and carried_out_at is null
      and at <= ${instantText(clock.nowMs())}::timestamptz order by at`;
  return rows.map(({ id }) => id);
}
