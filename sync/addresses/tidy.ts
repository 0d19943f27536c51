/** Housekeeping behind a run of the addresses: its tables go, and the planner counts the new ones. */
import { sql } from 'kysely';
import { ADDRESS_TABLES } from '../../src/layers/address-tables.ts';
import type { SyncDeps } from '../deps.ts';
import { dropStaged } from './stage.ts';

/** Never throws. `runId`: drops what is of that run only; absent: whatever is there. */
export async function tidyAddresses(
  { store, log }: Pick<SyncDeps, 'store' | 'log'>,
  { published, runId }: { readonly published: boolean; readonly runId?: string },
): Promise<void> {
  const work = store.kind === 'embedded' ? sql`vacuum (analyze) ` : sql`analyze `;
  try {
    await dropStaged(store.db, runId === undefined ? {} : { of: runId });
    if (!published) return;
    for (const { table } of ADDRESS_TABLES) await sql`${work}${sql.table(table)}`.execute(store.db);
    await sql`${work}address_former`.execute(store.db);
  } catch (error) {
    // The next run drops what is left at the latest.
    log.warn({ err: error }, 'the store could not be tidied after a run of the addresses');
  }
}
