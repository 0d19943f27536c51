/**
 * Housekeeping after a run. The embedded store has no autovacuum, so the stage would grow forever; and
 * without statistics the planner guesses just when readers switch.
 */
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { Log } from '../../../src/kernel/log.ts';
import { rowsOf } from './rows-of.ts';
import { clearStage, vacuumStage } from './stage.ts';

/** Empties a run's stage and updates statistics. Never throws. */
export async function tidy(
  { store, log }: { readonly store: Store; readonly log: Log },
  run: { readonly id: string; readonly layer: Layer },
  published: boolean,
): Promise<void> {
  const embedded = store.kind === 'embedded';
  const work = embedded ? sql`vacuum (analyze) ` : sql`analyze `;
  try {
    await clearStage(store, run.id);
    if (embedded) await vacuumStage(store);
    for (const table of published ? rowsOf(run.layer).tables(run.layer) : []) {
      await sql`${work}${sql.table(table)}`.execute(store.db);
    }
  } catch (error) {
    // The next claim of the layer empties the stage at the latest.
    log.warn({ err: error, run: run.id }, 'the store could not be tidied after a run');
  }
}
