import { instant } from '../src/kernel/clock.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { oneRow } from '../src/db/rows.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { ClaimLost } from './claim.ts';
import { holdLease } from './lease.ts';
import type { ClaimedRun, Publication } from './deps.ts';

type Trx = Store['db'];

/** Locks the run's row: until the commit no one considers it dead. */
export async function holdClaim(trx: Trx, runId: string): Promise<void> {
  const { rows } = await sql`
    select id from sync_run where id = ${runId} and state = 'running' for update`.execute(trx);
  if (rows.length === 0) throw new ClaimLost();
}

/** Publications are serialized here, so that two with common rows cannot deadlock. */
export async function queueUp(trx: Trx): Promise<void> {
  await sql`select generation from store_state for update`.execute(trx);
}

export interface Standing {
  readonly nowMs: number;
  readonly syncedAtMs: number;
  /** In whose name it is held until a person requests a sync. */
  readonly heldBy: string | null;
  /** What a live lookup counts at the source; null: unknown. */
  readonly sourceRows: number | null;
  readonly counted: RawBuilder<unknown>;
}

export async function advance(trx: Trx, id: MirrorId, as: Standing): Promise<Publication> {
  const heldSince = as.heldBy === null ? null : instant(as.nowMs);
  const row = await oneRow<Omit<Publication, 'layer'>>(trx)`
    with counted as (${as.counted}),
    stepped as (update store_state set generation = generation + 1 returning generation)
    insert into layer_state
      (layer, version, generation, synced_at, published_at, row_count, source_rows, area_m2,
        held_since, held_by)
    select ${id}, 1, stepped.generation, ${instant(as.syncedAtMs)}::timestamptz,
      ${instant(as.nowMs)}::timestamptz, counted.row_count, ${as.sourceRows}::integer,
      counted.area_m2, ${heldSince}::timestamptz, ${as.heldBy}::text
    from counted, stepped
    on conflict (layer) do update set version = layer_state.version + 1,
      generation = excluded.generation, synced_at = excluded.synced_at,
      published_at = excluded.published_at, row_count = excluded.row_count,
      source_rows = excluded.source_rows, area_m2 = excluded.area_m2,
      held_since = excluded.held_since, held_by = excluded.held_by
    returning version, generation, row_count as "rowCount"`;
  return { layer: id, ...row };
}

/**
 * Writes the end of a run that published (`version`) or found nothing new (null), with the
 * transaction's final `layer_state`, so call this last. A layer's history is read from it.
 */
export async function closeRun(
  trx: Trx,
  run: Pick<ClaimedRun, 'id' | 'counts' | 'lease'>,
  { version, nowMs }: { readonly version: number | null; readonly nowMs: number },
): Promise<void> {
  if (run.lease !== undefined) await holdLease(trx, run.lease);
  const state = version === null ? 'unchanged' : 'published';
  await sql`
    update sync_run set state = ${state}, phase = 'announce', version = ${version}::bigint,
      ended_at = ${instant(nowMs)}, counts = ${JSON.stringify(run.counts)}::jsonb,
      (proved_at, row_count, area_m2) = (
        select s.synced_at, s.row_count, s.area_m2 from layer_state s where s.layer = sync_run.layer)
    where id = ${run.id}`.execute(trx);
}
