import { sql } from 'kysely';
import type { RegisterSchema } from '../../../src/layers/register-tables.ts';
import type { SyncDeps } from '../../deps.ts';
import { dropStaged } from './stage.ts';

/**
 * Never throws. `changed`: tables with rows changed in place; a new table got statistics when
 * filled. `runId`: drops only that run's; absent: all.
 */
export async function tidyTables(
  { store, log }: Pick<SyncDeps, 'store' | 'log'>,
  schema: RegisterSchema,
  { changed, runId }: { readonly changed: readonly string[]; readonly runId?: string },
): Promise<void> {
  const work = store.kind === 'embedded' ? sql`vacuum (analyze) ` : sql`analyze `;
  try {
    await dropStaged(store.db, schema, runId === undefined ? {} : { of: runId });
    for (const table of changed) await sql`${work}${sql.table(table)}`.execute(store.db);
  } catch (error) {
    // The next run drops the rest at the latest.
    log.warn({ err: error }, 'the store could not be tidied after a run of tables');
  }
}
