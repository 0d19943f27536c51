import { sql } from 'kysely';
import { firstRow, firstValue } from '../src/db/rows.ts';
import type { Db } from '../src/db/connect.ts';
import type { MirrorId } from '../src/layers/keys.ts';

export interface Step {
  readonly version: number;
  /** When the earlier content was last verified. */
  readonly syncedAtMs: number;
  readonly rowCount: number;
}

/**
 * Part of the publishing transaction. null: a first version. The leader's sweep removes what is
 * past its retention (D226).
 */
export async function openStep(trx: Db, layer: MirrorId): Promise<number | null> {
  return await firstValue<number | null>(trx, null)`
    insert into layer_history
      (layer, version, synced_at, published_at, row_count, unanswered, unread)
    select layer, version + 1, synced_at, published_at, row_count, unanswered, unread
    from layer_state where layer = ${layer}
    returning version`;
}

/** The last that is not taken yet; null: there is no earlier version. */
export async function latestStep(db: Db, layer: MirrorId): Promise<Step | null> {
  return await firstRow<Step>(db)`
    select version, (extract(epoch from synced_at) * 1000)::float8 as "syncedAtMs",
      row_count as "rowCount"
    from layer_history where layer = ${layer} and not is_taken and not is_leaving
    order by version desc limit 1`;
}

/** Also the step that would undo this: the next revert goes one version further back. */
export async function closeSteps(
  trx: Db,
  layer: MirrorId,
  versions: readonly (number | null)[],
): Promise<void> {
  await sql`
    update layer_history set is_taken = true
    where layer = ${layer} and version = any(${versions}::bigint[])`.execute(trx);
}
