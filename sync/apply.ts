/**
 * Publication: the one place that writes the mirror, in one transaction. Readers see the version
 * before it or the version after it, whole, with its zones, pieces and state (invariant 3).
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import type { Layer } from '../src/layers/catalogue.ts';
import { instant } from './claim.ts';
import type { Publication, Run } from './deps.ts';
import { reopenDated, settleDated } from './dated/settle.ts';
import type { Derived } from './derive.ts';
import type { Difference } from './diff.ts';
import { closeStep, openStep } from './history.ts';
import type { Step } from './history.ts';
import type { Origin } from './origin.ts';
import { confirmedOrigin, readOrigin, writeOrigin } from './origin.ts';

type Trx = Store['db'];

/** The claim was taken over while this run worked: nothing of it may be published. */
export class ClaimLost extends Error {
  constructor() {
    super('Another process took this run over.');
    this.name = 'ClaimLost';
  }
}

/** A publication of content that was there before, asked for by a person. */
export interface Reversal {
  readonly step: Step;
  /** Who asked: the layer is held in that name until a person asks for a sync. */
  readonly by: string;
}

/** What is published, and why that is right. */
export interface Publishing {
  readonly expected: Difference;
  readonly derived: Derived;
  readonly nowMs: number;
  readonly reversal?: Reversal;
  /** What the new content was read from; what was there before says nothing about it. */
  readonly origin?: Origin;
  /** When the content was proved, where that was not by this run. */
  readonly provedAtMs?: number;
}

/**
 * Makes the mirror of a layer equal to the stage of a run, and keeps the step back. A reversal takes
 * its step away instead, and holds the layer. Throws, and changes nothing, when the claim is lost or
 * when the rows to change are not those that were judged.
 */
export async function apply(store: Store, run: Run, publishing: Publishing): Promise<Publication> {
  return await store.db.transaction().execute((trx) => applyWithin(trx, run, publishing));
}

/** As `apply`, as part of a transaction that may publish other layers too. */
export async function applyWithin(
  trx: Trx,
  run: Run,
  { expected, derived, nowMs, reversal, origin, provedAtMs }: Publishing,
): Promise<Publication> {
  const { layer } = run;
  await holdClaim(trx, run.id);
  // Publications queue up here, so that two layers that touch the same rows cannot deadlock.
  await sql`select generation from store_state for update`.execute(trx);
  const step = reversal === undefined ? await openStep(trx, layer.id) : null;
  await replaceRows(trx, { ...run, step }, expected);
  if (reversal !== undefined) await closeStep(trx, layer.id, reversal.step);
  const touched = await derived.apply(trx);
  const standing = standingOf(run, { reversal, provedAtMs });
  const publication = await advance(trx, layer, { nowMs, ...standing });
  if (standing.isReading) await believe(trx, layer);
  await renew(trx, touched, { ...publication, nowMs });
  if (origin !== undefined) await writeOrigin(trx, layer, origin);
  if (reversal !== undefined) await reopenDated(trx, layer.id, reversal.step.version);
  else await settle(trx, run, nowMs);
  await closeRun(trx, run, { state: 'published', version: publication.version, nowMs });
  return publication;
}

/** What a publication says of its source: when it was proved, who holds it, what the register holds. */
function standingOf(
  run: Run,
  of: { readonly reversal: Reversal | undefined; readonly provedAtMs: number | undefined },
) {
  const { reversal, provedAtMs = run.startedAtMs } = of;
  const isOfToday = reversal === undefined && run.replay === null;
  return {
    syncedAtMs: reversal?.step.syncedAtMs ?? run.replay?.readAtMs ?? provedAtMs,
    heldBy: reversal?.by ?? run.replay?.by ?? null,
    // Content of another day says nothing of what the register holds now.
    sourceRows: isOfToday ? sourceRowsOf(run) : null,
    isReading: isOfToday && of.provedAtMs === undefined,
  };
}

/**
 * The source equals the mirror: only the moment that was proved moves, and no hold is needed. An
 * earlier reading, or the layer's own dates, prove nothing of the present: they move neither.
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
    /** Whether a source was asked, just now. */
    readonly proves: boolean;
  },
): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    if (proves) {
      // Where nothing was read, what the register holds is as it was.
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
    await settle(trx, run, nowMs);
    await closeRun(trx, run, { state: 'unchanged', version: null, nowMs });
  });
}

/** What a live lookup will count at the register: of DAGI the rows of the mirrored scale alone. */
function sourceRowsOf({ layer, counts }: Run): number {
  return layer.register === 'dagi' ? counts.staged : counts.received;
}

/** A run has passed every guard, or a person has released them: the register is asked again. */
async function believe(trx: Trx, { id }: Layer): Promise<void> {
  await sql`delete from register_refusal where layer = ${id}`.execute(trx);
}

/** What is known ahead of the layer; only areas have dates. A replay tells what was known then. */
async function settle(trx: Trx, run: Run, nowMs: number): Promise<void> {
  if (run.layer.register !== 'dagi') return;
  const isTold = run.counts.source === 'files' && run.replay === null;
  await settleDated(trx, run.layer.id, { nowMs, fromRun: isTold ? run.id : null });
}

/**
 * Other layers whose rows the publication has changed as well are new versions too: what is kept of
 * them by version, in memory or by clients, is not true any more. Their content, as they were read,
 * is the same, and so is the step back.
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

/** Locks the run's row: from here to the commit nobody can take it for dead. */
async function holdClaim(trx: Trx, runId: string): Promise<void> {
  const { rows } = await sql`
    select id from sync_run where id = ${runId} and state = 'running' for update`.execute(trx);
  if (rows.length === 0) throw new ClaimLost();
}

/** A run and the step that will undo it; null where none is kept. */
type Replacing = Pick<Run, 'id' | 'layer'> & { readonly step: number | null };

/**
 * Deletes what changed or disappeared, then inserts what is not there: a changed row is written
 * anew, so two areas that swap their codes do not trip over each other.
 */
async function replaceRows(trx: Trx, run: Replacing, expected: Difference): Promise<void> {
  const { removing, inserting } = REPLACEMENTS[run.layer.register];
  const removed = await removing(run).execute(trx);
  const inserted = await inserting(run).execute(trx);
  const { inserted: fresh, changed, removed: gone } = expected;
  if (removed.rows[0]?.count !== changed + gone || inserted.rows[0]?.count !== fresh + changed) {
    // A stage emptied by a restarted database would otherwise empty the layer.
    throw new Error('The rows to publish are not the rows that were checked.');
  }
}

interface Counted {
  readonly count: number;
}

/** Where a step keeps the rows of `gone`, which the statement has just deleted. */
const keepingRows = ({ layer, step }: Replacing) => sql`
  kept as (
    insert into feature_history (layer, version, key, object_id, standing, adopted, content_hash,
      attributes, geom)
    select ${layer.id}, ${step}::bigint, gone.* from gone where ${step}::bigint is not null)`;

/** Where a step keeps the keys of `fresh`, but for those of rows that were only written anew. */
const keepingKeys = ({ layer, step }: Replacing) => sql`
  kept as (
    insert into feature_history (layer, version, key)
    select ${layer.id}, ${step}::bigint, key from fresh where ${step}::bigint is not null
    on conflict do nothing)`;

const REPLACEMENTS = {
  'building-lines': {
    removing: (run: Replacing) => sql<Counted>`
      with gone as (
        delete from line_feature m
        where m.layer = ${run.layer.id} and not exists (
          select from stage_feature s
          where s.run_id = ${run.id} and s.key = m.key and s.content_hash = m.content_hash)
        returning key, object_id, standing, adopted, content_hash, attributes, geom),
      ${keepingRows(run)}
      select count(*)::integer as count from gone`,
    inserting: (run: Replacing) => sql<Counted>`
      with fresh as (
        insert into line_feature (layer, key, object_id, standing, adopted, content_hash,
          attributes, area_m2, geom)
        select ${run.layer.id}, key, object_id, standing, adopted, content_hash, attributes,
          case when ${run.layer.geometry} = 'area' then ST_Area(geom) end, geom
        from stage_feature s
        where run_id = ${run.id} and not exists (
          select from line_feature m where m.layer = ${run.layer.id} and m.key = s.key)
        returning key),
      ${keepingKeys(run)}
      select count(*)::integer as count from fresh`,
  },
  dagi: {
    removing: (run: Replacing) => sql<Counted>`
      with gone as (
        delete from area m
        where m.theme = ${run.layer.id} and not exists (
          select from stage_feature s
          where s.run_id = ${run.id} and s.key = m.key and s.content_hash = m.content_hash)
        returning key, key as object_id, 'in_force', true, content_hash, attributes, geom),
      ${keepingRows(run)}
      select count(*)::integer as count from gone`,
    inserting: (run: Replacing) => sql<Counted>`
      with fresh as (
        insert into area (theme, key, code, name, content_hash, attributes, geom)
        select ${run.layer.id}, key, attributes->>'code', attributes->>'name', content_hash,
          attributes, geom
        from stage_feature s
        where run_id = ${run.id} and not exists (
          select from area m where m.theme = ${run.layer.id} and m.key = s.key)
        returning key),
      ${keepingKeys(run)}
      select count(*)::integer as count from fresh`,
  },
} as const;

async function advance(
  trx: Trx,
  layer: Layer,
  as: {
    readonly nowMs: number;
    readonly syncedAtMs: number;
    readonly heldBy: string | null;
    readonly sourceRows: number | null;
  },
): Promise<Publication> {
  const heldSince = as.heldBy === null ? null : instant(as.nowMs);
  const { rows } = await sql<{ version: string; generation: string; row_count: number }>`
    with counted as (${countPublished(layer)}),
    stepped as (update store_state set generation = generation + 1 returning generation)
    insert into layer_state
      (layer, version, generation, synced_at, published_at, row_count, source_rows, area_m2, held_since,
        held_by)
    select ${layer.id}, 1, stepped.generation, ${instant(as.syncedAtMs)}::timestamptz,
      ${instant(as.nowMs)}::timestamptz, counted.row_count,
      ${as.sourceRows}::integer, counted.area_m2,
      ${heldSince}::timestamptz, ${as.heldBy}::text
    from counted, stepped
    on conflict (layer) do update set version = layer_state.version + 1,
      generation = excluded.generation, synced_at = excluded.synced_at,
      published_at = excluded.published_at, row_count = excluded.row_count,
      source_rows = excluded.source_rows, area_m2 = excluded.area_m2, held_since = excluded.held_since, held_by = excluded.held_by
    returning version::text, generation::text, row_count`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('The store has no generation to advance.');
  return {
    layer: layer.id,
    version: Number(row.version),
    generation: Number(row.generation),
    rowCount: row.row_count,
  };
}

function countPublished(layer: Layer) {
  return layer.register === 'dagi'
    ? sql`select count(*)::integer as row_count, coalesce(sum(ST_Area(geom)), 0) as area_m2
        from area where theme = ${layer.id}`
    : sql`select count(*)::integer as row_count, coalesce(sum(area_m2), 0) as area_m2
        from line_feature where layer = ${layer.id}`;
}

async function closeRun(
  trx: Trx,
  run: Run,
  end: {
    readonly state: 'published' | 'unchanged';
    readonly version: number | null;
    readonly nowMs: number;
  },
): Promise<void> {
  await sql`
    update sync_run set state = ${end.state}, phase = 'announce', version = ${end.version}::bigint,
      ended_at = ${instant(end.nowMs)}, counts = ${JSON.stringify(run.counts)}::jsonb
    where id = ${run.id}`.execute(trx);
}
