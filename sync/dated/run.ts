/** A run because a date has come: from the rows at hand, or where they are not, from the source. */
import { sql } from 'kysely';
import type { LayerId } from '../../src/layers/keys.ts';
import type { RunOutcome, SyncDeps } from '../deps.ts';
import { syncLayer } from '../run.ts';
import { hasDue } from './carry-out.ts';
import { instantText } from './stage.ts';

/** Always resolves: how it ended is the value. Says loudly when the change has not come. */
export async function syncDated(
  deps: SyncDeps,
  layer: LayerId,
  options: { readonly signal: AbortSignal },
): Promise<RunOutcome> {
  const { store, clock, log } = deps;
  // A store that is away is told of by the run.
  const dated = await hasDue(store.db, layer, clock.nowMs()).catch(() => false);
  const outcome = await syncLayer(deps, layer, { ...options, trigger: 'dated', dated });
  const open = await readOverdue(deps, layer).catch(() => []);
  if (open.length > 0 && outcome.state !== 'busy') {
    log.error(
      { layer, changes: open, run: outcome.state },
      'a dated change is due and not carried out; the old copy answers, stale',
    );
  }
  return outcome;
}

async function readOverdue({ store, clock }: SyncDeps, layer: LayerId): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from dated_change where layer = ${layer} and carried_out_at is null
      and at <= ${instantText(clock.nowMs())}::timestamptz order by at`.execute(store.db);
  return rows.map(({ id }) => id);
}
