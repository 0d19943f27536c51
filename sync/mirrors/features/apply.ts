/**
 * The only writer of the mirror, in one transaction. Readers see one version, with zones, pieces
 * and state (invariant 3).
 */
import { instant } from '../../../src/kernel/clock.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { Publication, Run } from '../../deps.ts';

import type { Difference } from './diff.ts';
import { reopenDated, settleDated } from '../../dated/settle.ts';
import { sourceRowsOf, tellsAhead } from './counts.ts';
import type { Derived } from '../../../src/core/register-layers.ts';
import { closeSteps, openStep } from '../../history.ts';
import type { Step } from '../../history.ts';
import { logChanges } from '../../changes.ts';
import { advance, closeRun, holdClaim, queueUp } from '../../version.ts';
import type { Origin } from './origin.ts';
import { confirmedOrigin, noteMade, readOrigin, writeOrigin } from './origin.ts';
import { rowsOf } from './rows-of.ts';
import { restoreUnread, writeUnread } from './unread.ts';
import type { UnreadFeature } from './unread.ts';

type Trx = Store['db'];

export interface Reversal {
  readonly step: Step;
  /** The layer is held in this name until a person requests a sync. */
  readonly by: string;
}

export interface Publishing {
  readonly expected: Difference;
  readonly derived: Derived;
  readonly nowMs: number;
  readonly reversal?: Reversal;
  /** What the new content was read from; absent for earlier content. */
  readonly origin?: Origin;
  /** Unreadable features of this version; absent: those kept stay. */
  readonly unread?: readonly UnreadFeature[];
  readonly provedAtMs?: number;
}

/**
 * Makes the mirror of a layer equal to a run's stage. Throws, and changes nothing, when the claim
 * is lost or the rows are not the judged ones.
 */
export async function apply(store: Store, run: Run, publishing: Publishing): Promise<Publication> {
  return await store.db.transaction().execute((trx) => applyWithin(trx, run, publishing));
}

export async function applyWithin(
  trx: Trx,
  run: Run,
  publishing: Publishing,
): Promise<Publication> {
  const { expected, derived, nowMs, reversal, origin, unread } = publishing;
  const { layer } = run;
  await holdClaim(trx, run.id);
  await queueUp(trx);
  const step = await openStep(trx, layer.id);
  await replaceRows(trx, { ...run, step }, expected);
  if (reversal !== undefined) {
    await restoreUnread(trx, layer.id, reversal.step);
    await closeSteps(trx, layer.id, [reversal.step.version, step]);
  }
  const touched = await derived.apply(trx);
  const { isReading, ...source } = sourceOf(run, publishing);
  const publication = await advance(trx, layer.id, { nowMs, ...source });
  if (isReading) await believe(trx, layer);
  await renew(trx, touched, { ...publication, nowMs });
  if (origin !== undefined) await writeOrigin(trx, layer, origin);
  if (unread !== undefined) await writeUnread(trx, layer, unread);
  await noteMade(trx, layer);
  await logChanges(trx, { publication, step, nowMs });
  if (reversal !== undefined) await reopenDated(trx, layer.id, reversal.step.version);
  else await settleDated(trx, layer, { nowMs, fromRun: tellsAhead(run) ? run.id : null });
  await closeRun(trx, run, { version: publication.version, nowMs });
  return publication;
}

function sourceOf(run: Run, { reversal, provedAtMs }: Pick<Publishing, 'reversal' | 'provedAtMs'>) {
  const isOfToday = reversal === undefined && run.replay === null;
  return {
    syncedAtMs: reversal?.step.syncedAtMs ?? run.replay?.readAtMs ?? provedAtMs ?? run.startedAtMs,
    heldBy: reversal?.by ?? run.replay?.by ?? null,
    // Content of another day says nothing of the register's present size.
    sourceRows: isOfToday ? sourceRowsOf(run) : null,
    counted: countPublished(run.layer),
    isReading: isOfToday && provedAtMs === undefined,
  };
}

/**
 * Only the verification time changes, and a hold ends. An earlier reading, or the layer's own
 * dates, change neither.
 */
export async function confirm(
  store: Store,
  run: Run,
  {
    nowMs,
    origin,
    proves,
  }: {
    readonly nowMs: number;
    readonly origin: Origin | null;
    readonly proves: boolean;
  },
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    if (proves) {
      const sourceRows = origin === null ? null : sourceRowsOf(run);
      await sql`
        update layer_state
        set synced_at = ${instant(run.startedAtMs)}, held_since = null, held_by = null,
          source_rows = coalesce(${sourceRows}::integer, source_rows)
        where layer = ${run.layer.id}`.execute(trx);
      await believe(trx, run.layer);
    }
    if (origin !== null) {
      const before = await readOrigin(trx, run.layer.id);
      await writeOrigin(trx, run.layer, confirmedOrigin(origin, before));
    }
    await noteMade(trx, run.layer);
    await settleDated(trx, run.layer, { nowMs, fromRun: tellsAhead(run) ? run.id : null });
    await closeRun(trx, run, { version: null, nowMs });
  });
}

function countPublished(layer: Layer): RawBuilder<unknown> {
  const { table, isOf, areaM2 } = rowsOf(layer);
  return sql`select count(*)::integer as row_count, ${areaM2} as area_m2
    from ${sql.table(table)} m where ${isOf(layer)}`;
}

/** A run passed or was released: the register may be asked again. */
async function believe(trx: Trx, { id }: Layer): Promise<void> {
  await sql`delete from register_refusal where layer = ${id}`.execute(trx);
}

/**
 * Other layers with changed rows also get a new version: caches go by version. Their source content
 * and history step stay.
 */
async function renew(
  trx: Trx,
  layers: readonly string[],
  { generation, nowMs }: { readonly generation: number; readonly nowMs: number },
): Promise<void> {
  if (layers.length === 0) return;
  await sql`
    update layer_state set version = version + 1, generation = ${generation}::bigint,
      published_at = ${instant(nowMs)}, origin = case
        when origin->>'atVersion' = version::text
          then jsonb_set(origin, '{atVersion}', to_jsonb(version + 1)) else origin end
    where layer = any(${layers}::text[])`.execute(trx);
}

type Replacing = Pick<Run, 'id' | 'layer'> & { readonly step: number | null };

/** Deletes before it inserts, so two areas can swap codes. */
export async function replaceRows(trx: Trx, run: Replacing, expected: Difference): Promise<void> {
  const removed = await removing(run).execute(trx);
  const inserted = await inserting(run).execute(trx);
  const { inserted: fresh, changed, removed: gone } = expected;
  if (removed.rows[0]?.count !== changed + gone || inserted.rows[0]?.count !== fresh + changed) {
    // A stage emptied by a database restart would otherwise empty the layer.
    throw new Error('The rows to publish are not the rows that were checked.');
  }
}

function removing(run: Replacing): RawBuilder<Counted> {
  const { table, isOf, asStaged } = rowsOf(run.layer);
  return sql`
    with gone as (
      delete from ${sql.table(table)} m
      where ${isOf(run.layer)} and not exists (
        select from stage_feature s
        where s.run_id = ${run.id} and s.key = m.key and s.content_hash = m.content_hash)
      returning ${asStaged}),
    ${keepingRows(run)}
    select count(*)::integer as count from gone`;
}

function inserting(run: Replacing): RawBuilder<Counted> {
  const { table, isOf, columns, values } = rowsOf(run.layer);
  return sql`
    with fresh as (
      insert into ${sql.table(table)} (${columns})
      select ${values(run.layer)}
      from stage_feature s
      where run_id = ${run.id} and not exists (
        select from ${sql.table(table)} m where ${isOf(run.layer)} and m.key = s.key)
      returning key),
    ${keepingKeys(run)}
    select count(*)::integer as count from fresh`;
}

interface Counted {
  readonly count: number;
}

const keepingRows = ({ layer, step }: Replacing) => sql`
  kept as (
    insert into feature_history (layer, version, key, object_id, standing, adopted, content_hash,
      attributes, geom)
    select ${layer.id}, ${step}::bigint, gone.* from gone where ${step}::bigint is not null)`;

/** Keys of `fresh`, except reinserted ones, into the history step. */
const keepingKeys = ({ layer, step }: Replacing) => sql`
  kept as (
    insert into feature_history (layer, version, key)
    select ${layer.id}, ${step}::bigint, key from fresh where ${step}::bigint is not null
    on conflict do nothing)`;
