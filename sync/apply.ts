/**
 * Publication: the one place that writes the mirror, in one transaction. Readers see the version
 * before it or the version after it, whole, with its zones, pieces and state (invariant 3).
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import type { Layer } from '../src/layers/catalogue.ts';
import { instant } from './claim.ts';
import type { Publication, Run } from './deps.ts';
import type { Derived } from './derive.ts';
import type { Difference } from './diff.ts';

type Trx = Store['db'];

/** The claim was taken over while this run worked: nothing of it may be published. */
export class ClaimLost extends Error {
  constructor() {
    super('Another process took this run over.');
    this.name = 'ClaimLost';
  }
}

/**
 * Makes the mirror of a layer equal to the stage of a run. Throws, and changes nothing, when the
 * claim is lost or when the rows to change are not those the guards have judged.
 */
export async function apply(
  store: Store,
  run: Run,
  publishing: {
    readonly expected: Difference;
    readonly derived: Derived;
    readonly nowMs: number;
  },
): Promise<Publication> {
  const { expected, derived, nowMs } = publishing;
  return await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    // Publications queue up here, so that two layers that touch the same rows cannot deadlock.
    await sql`select generation from store_state for update`.execute(trx);
    await replaceRows(trx, run, expected);
    await derived.apply(trx);
    const publication = await advance(trx, run, nowMs);
    await closeRun(trx, run, { state: 'published', version: publication.version, nowMs });
    return publication;
  });
}

/** The source equals the mirror: only the moment that was proved moves. */
export async function confirm(store: Store, run: Run, nowMs: number): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await holdClaim(trx, run.id);
    await sql`
      update layer_state set synced_at = ${instant(run.startedAtMs)}
      where layer = ${run.layer.id}`.execute(trx);
    await closeRun(trx, run, { state: 'unchanged', version: null, nowMs });
  });
}

/** Locks the run's row: from here to the commit nobody can take it for dead. */
async function holdClaim(trx: Trx, runId: string): Promise<void> {
  const { rows } = await sql`
    select id from sync_run where id = ${runId} and state = 'running' for update`.execute(trx);
  if (rows.length === 0) throw new ClaimLost();
}

/**
 * Deletes what changed or disappeared, then inserts what is not there: a changed row is written
 * anew, so two areas that swap their codes do not trip over each other.
 */
async function replaceRows(trx: Trx, run: Run, expected: Difference): Promise<void> {
  const { removing, inserting } = REPLACEMENTS[run.layer.register];
  const removed = await removing(run).execute(trx);
  const inserted = await inserting(run).execute(trx);
  const { inserted: fresh, changed, removed: gone } = expected;
  if (
    Number(removed.numAffectedRows ?? -1) !== changed + gone ||
    Number(inserted.numAffectedRows ?? -1) !== fresh + changed
  ) {
    // A stage emptied by a restarted database would otherwise empty the layer.
    throw new Error('The rows to publish are not the rows that were checked.');
  }
}

const REPLACEMENTS = {
  'building-lines': {
    removing: ({ id, layer }: Run) => sql`
      delete from line_feature m
      where m.layer = ${layer.id} and not exists (
        select from stage_feature s
        where s.run_id = ${id} and s.key = m.key and s.content_hash = m.content_hash)`,
    inserting: ({ id, layer }: Run) => sql`
      insert into line_feature (layer, key, object_id, standing, adopted, content_hash,
        attributes, area_m2, geom)
      select ${layer.id}, key, object_id, standing, adopted, content_hash, attributes,
        case when ${layer.geometry} = 'area' then ST_Area(geom) end, geom
      from stage_feature s
      where run_id = ${id} and not exists (
        select from line_feature m where m.layer = ${layer.id} and m.key = s.key)`,
  },
  dagi: {
    removing: ({ id, layer }: Run) => sql`
      delete from area m
      where m.theme = ${layer.id} and not exists (
        select from stage_feature s
        where s.run_id = ${id} and s.key = m.key and s.content_hash = m.content_hash)`,
    inserting: ({ id, layer }: Run) => sql`
      insert into area (theme, key, code, name, content_hash, attributes, geom)
      select ${layer.id}, key, attributes->>'code', attributes->>'name', content_hash, attributes,
        geom
      from stage_feature s
      where run_id = ${id} and not exists (
        select from area m where m.theme = ${layer.id} and m.key = s.key)`,
  },
} as const;

async function advance(trx: Trx, run: Run, nowMs: number): Promise<Publication> {
  const { id: layer } = run.layer;
  const { rows } = await sql<{ version: string; generation: string; row_count: number }>`
    with counted as (${countPublished(run.layer)}),
    stepped as (update store_state set generation = generation + 1 returning generation)
    insert into layer_state
      (layer, version, generation, synced_at, published_at, row_count, area_m2)
    select ${layer}, 1, stepped.generation, ${instant(run.startedAtMs)}::timestamptz,
      ${instant(nowMs)}::timestamptz, counted.row_count, counted.area_m2
    from counted, stepped
    on conflict (layer) do update set version = layer_state.version + 1,
      generation = excluded.generation, synced_at = excluded.synced_at,
      published_at = excluded.published_at, row_count = excluded.row_count,
      area_m2 = excluded.area_m2
    returning version::text, generation::text, row_count`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new Error('The store has no generation to advance.');
  return {
    layer,
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
