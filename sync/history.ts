/**
 * With each publication the step that undoes it. Each kind of mirror keeps its own rows; the common part is
 * here.
 */
import { sql } from 'kysely';
import type { Db } from '../src/db/connect.ts';
import type { MirrorId } from '../src/layers/keys.ts';

export interface Step {
  readonly version: number;
  /** When the earlier content was last verified, milliseconds UTC. */
  readonly syncedAtMs: number;
  readonly rowCount: number;
}

/**
 * Opens the step of the version being published. null: a first version. Part of the publishing transaction;
 * what is past its retention is removed by the leader's sweep (D226).
 */
export async function openStep(trx: Db, layer: MirrorId): Promise<number | null> {
  const { rows } = await sql<{ version: string }>`
    insert into layer_history
      (layer, version, synced_at, published_at, row_count, unanswered, unread)
    select layer, version + 1, synced_at, published_at, row_count, unanswered, unread
    from layer_state where layer = ${layer}
    returning version::text`.execute(trx);
  const [row] = rows;
  return row === undefined ? null : Number(row.version);
}

/** The last that is not taken yet; null: there is no earlier version. */
export async function latestStep(db: Db, layer: MirrorId): Promise<Step | null> {
  // Ordered by the table's number: a bare `version` would be the selected text, and '9' > '10'.
  const { rows } = await sql<{ version: string; synced_ms: number; row_count: number }>`
    select h.version::text, (extract(epoch from synced_at) * 1000)::float8 as synced_ms, row_count
    from layer_history h where layer = ${layer} and not is_taken and not is_leaving
    order by h.version desc limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { version: Number(row.version), syncedAtMs: row.synced_ms, rowCount: row.row_count };
}

/** Marks a step once taken, and the one that would undo this: the next revert goes one version further back. */
export async function closeSteps(
  trx: Db,
  layer: MirrorId,
  versions: readonly (number | null)[],
): Promise<void> {
  await sql`
    update layer_history set is_taken = true
    where layer = ${layer} and version = any(${versions}::bigint[])`.execute(trx);
}
