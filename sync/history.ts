/**
 * With each publication the step that undoes it. Each kind of mirror keeps its own rows; the common part is
 * here.
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import type { MirrorId } from '../src/layers/keys.ts';

type Db = Store['db'];

export interface Step {
  readonly version: number;
  /** When the earlier content was last verified, milliseconds UTC. */
  readonly syncedAtMs: number;
  readonly rowCount: number;
}

/**
 * Opens the step of the version being published and drops those past `historyVersions`. null: a first
 * version. Part of the publishing transaction.
 */
export async function openStep(trx: Db, layer: MirrorId): Promise<number | null> {
  const { rows } = await sql<{ version: string }>`
    insert into layer_history
      (layer, version, synced_at, published_at, row_count, unanswered, unread)
    select layer, version + 1, synced_at, published_at, row_count, unanswered, unread
    from layer_state where layer = ${layer}
    returning version::text`.execute(trx);
  await sql`
    delete from layer_history where layer = ${layer} and version not in (
      select version from layer_history where layer = ${layer}
      order by version desc limit ${LIMITS.historyVersions})`.execute(trx);
  const [row] = rows;
  return row === undefined ? null : Number(row.version);
}

/** null: there is no earlier version. */
export async function latestStep(db: Db, layer: MirrorId): Promise<Step | null> {
  // Ordered by the table's number: a bare `version` would be the selected text, and '9' > '10'.
  const { rows } = await sql<{ version: string; synced_ms: number; row_count: number }>`
    select h.version::text, (extract(epoch from synced_at) * 1000)::float8 as synced_ms, row_count
    from layer_history h where layer = ${layer} order by h.version desc limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { version: Number(row.version), syncedAtMs: row.synced_ms, rowCount: row.row_count };
}

/** Deletes a step once taken: the next revert goes one version further back. */
export async function closeStep(trx: Db, layer: MirrorId, { version }: Step): Promise<void> {
  await sql`
    delete from layer_history where layer = ${layer} and version = ${version}::bigint`.execute(trx);
}
