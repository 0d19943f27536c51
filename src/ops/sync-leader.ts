/** Who leads the scheduled syncs of all processes; taken and renewed by `sync/lease.ts`. */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';

export interface SyncLeader {
  /** Host, process and a random part. */
  readonly holder: string;
  /** Milliseconds UTC, by the store's clock. */
  readonly sinceMs: number;
  /** Rises with every taking. */
  readonly epoch: number;
  /** False once the lease has run out: no process leads. */
  readonly leads: boolean;
}

/** null: no process has led yet. Throws when the store does. */
export async function readSyncLeader({ db }: Pick<Store, 'db'>): Promise<SyncLeader | null> {
  const { rows } = await sql<SyncLeader>`
    select holder, epoch, (extract(epoch from since) * 1000)::float8 as "sinceMs",
      expires_at > clock_timestamp() as leads from sync_lease`.execute(db);
  return rows[0] ?? null;
}
