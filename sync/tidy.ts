/**
 * Housekeeping behind a run. The embedded store has no autovacuum, so the stage would grow for ever;
 * and a planner that has never counted a table guesses, right when readers turn to the new version.
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import type { Layer } from '../src/layers/catalogue.ts';
import { STAGE_TABLES, clearStage } from './claim.ts';
import type { Log } from '../src/kernel/log.ts';

/** Empties the stage of a run and refreshes what the planner knows. Never throws. */
export async function tidy(
  { store, log }: { readonly store: Store; readonly log: Log },
  run: { readonly id: string; readonly layer: Layer },
  published: boolean,
): Promise<void> {
  const embedded = store.kind === 'embedded';
  const work = embedded ? sql`vacuum (analyze) ` : sql`analyze `;
  try {
    await clearStage(store, run.id);
    if (embedded) {
      for (const table of STAGE_TABLES) await sql`vacuum ${sql.table(table)}`.execute(store.db);
    }
    for (const table of published ? tablesOf(run.layer) : []) {
      await sql`${work}${sql.table(table)}`.execute(store.db);
    }
  } catch (error) {
    // The next claim of the layer empties the stage at the latest.
    log.warn({ err: error, run: run.id }, 'the store could not be tidied after a run');
  }
}

function tablesOf({ register, id }: Layer): readonly string[] {
  if (register === 'dagi') return ['area', 'area_piece', 'feature_history'];
  return [`line_feature_${id}`, `line_zone_${id}`, `line_zone_edge_${id}`, 'feature_history'];
}
