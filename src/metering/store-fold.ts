import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { liveAllowances } from '../account/plans.ts';
import type { Plans } from '../account/plans.ts';
import type { Chunk } from './journal-lines.ts';

export interface FoldPosition {
  readonly folded: number;
}

export async function openJournal(
  store: Pick<Store, 'db'>,
  { journal, instance }: { readonly journal: string; readonly instance: string },
): Promise<FoldPosition> {
  const { rows } = await sql<{ folded: number }>`
    insert into usage_journal as j (journal, instance_id) values (${journal}, ${instance})
    on conflict (journal) do update set folded = j.folded
    returning folded`.execute(store.db);
  const [row] = rows;
  if (row === undefined) throw new Error('The journal has no position.');
  return row;
}

export interface Folding {
  readonly journal: string;
  readonly from: number;
  readonly chunk: Chunk;
  readonly atMs: number;
  /** Crossing 80 % or 100 % of a tier's live units is an event. */
  readonly plans: Plans;
}

/**
 * Folds a chunk into every counting table, only at the journal's current position (sql/migrations/0016).
 * False: another process has moved it.
 */
export async function foldChunk(
  store: Pick<Store, 'db'>,
  { journal, from, chunk, atMs, plans }: Folding,
): Promise<boolean> {
  const { tiers, units } = liveAllowances(plans);
  const { rows } = await sql<{ moved: boolean }>`
    select fold_usage(${journal}, ${from}, ${chunk.end}, ${chunk.lines}, ${chunk.unreadable},
      ${chunk.text}, ${new Date(atMs).toISOString()}::timestamptz, ${tiers}::text[],
      ${units}::bigint[]) as moved`.execute(store.db);
  return rows[0]?.moved === true;
}
