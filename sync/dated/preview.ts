/** Computed in advance with the statements of the change's run, over a separate stage. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db, Store } from '../../src/db/connect.ts';
import { allRows, firstValue, oneRow } from '../../src/db/rows.ts';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';
import { layerOf } from '../../src/layers/catalogue.ts';
import type { AreaLayer, Catalogue } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { LocatedRows, TableRegister } from '../../src/layers/register.ts';
import type { ChangePreview } from '../../src/ops/dated-changes.ts';
import { askCanary, askPlaces } from '../mirrors/features/canary.ts';
import { check } from '../check.ts';
import type { SyncDeps } from '../deps.ts';
import { noCounts } from '../deps.ts';
import { diff, readLastGood } from '../mirrors/features/diff.ts';
import { aheadOf } from '../mirrors/layers-of.ts';
import { clearStage, countStage } from '../mirrors/features/stage.ts';
import { cameAll, nextRun, stageDue } from './carry-out.ts';
import { withDatedGuards } from './guards.ts';
import { instantText } from './stage.ts';
import { takenBack } from './taken-back.ts';

type Deps = Pick<SyncDeps, 'store' | 'catalogue' | 'clock' | 'log'>;

/** Computes missing and outdated previews. Never rejects. */
export async function preparePreviews(deps: Deps, signal?: AbortSignal): Promise<void> {
  const { store, log } = deps;
  try {
    for (const wanted of await readWanted(deps)) {
      if (signal?.aborted === true) return;
      if (!layerOf(deps.catalogue, wanted.layer).dated) continue;
      await aheadOf(wanted.layer).derive(store.db, wanted.layer);
      const begunMs = performance.now();
      const preview = await previewChange(deps, wanted);
      if (preview === null) continue;
      await keepPreview(deps, wanted, preview);
      const elapsedMs = Math.round(performance.now() - begunMs);
      log.info(
        { change: wanted.id, ...preview.numbers, elapsedMs },
        'a dated change was previewed',
      );
    }
  } catch (error) {
    if (!isServerUnavailable(error))
      log.warn({ err: error }, 'the changes to come could not be previewed');
  }
}

interface Wanted {
  readonly id: string;
  readonly layer: LayerId;
  readonly atMs: number;
  /** Digest of its inputs: another one makes the preview outdated. */
  readonly of: string;
}

async function readWanted({ store, catalogue }: Deps): Promise<readonly Wanted[]> {
  const registers = locatedIn(catalogue).map(({ id }) => id);
  return await allRows<Wanted>(store.db)`
    select id, layer, "atMs", "of" from (
      select c.id, c.layer, (extract(epoch from c.at) * 1000)::float8 as "atMs", c.preview_of,
        md5(concat_ws(' ', s.version, c.announced::text,
          (select string_agg(a.layer || a.version, ' ' order by a.layer) from layer_state a
            where a.layer = any(${registers}::text[])),
          (select string_agg(d.key || d.begins_at || coalesce(d.ends_at::text, '')
            || coalesce(md5(d.content_hash), ''), ' ' order by d.key, d.begins_at)
          from dated_row d where d.layer = c.layer and (d.begins_at = c.at or d.ends_at = c.at))))
          as "of"
      from dated_change c join layer_state s on s.layer = c.layer
      where c.carried_out_at is null) changes
    where preview_of is distinct from "of" order by "atMs", layer`;
}

/** null: its rows have no dates. Throws when the store does. */
export async function previewChange(
  { store, catalogue, clock }: Deps,
  { id, layer: layerId, atMs }: Pick<Wanted, 'id' | 'layer' | 'atMs'>,
): Promise<ChangePreview | null> {
  const defined = layerOf(catalogue, layerId);
  if (!defined.dated) return null;
  const layer = await withDatedGuards(store, defined);
  const of = { id, layer, atMs, registers: locatedIn(catalogue) };
  const preview =
    store.kind === 'embedded'
      ? await measureByParts(store, of)
      : await takenBack(store.db, (trx) => measure({ ...store, db: trx }, of));
  return { ...preview, madeAtMs: clock.nowMs() };
}

/**
 * A transaction would block the embedded store's single session. Throws where its stage was emptied
 * meanwhile.
 */
async function measureByParts(store: Store, of: Measured): Promise<Measures> {
  // Left by a killed process.
  await sql`delete from stage_feature where run_id not in (select id from sync_run)`.execute(
    store.db,
  );
  const run = await nextRun(store.db, of.layer);
  try {
    const measures = await measure(store, of, run);
    const { rows } = await countStage(store, { ...of, ...run });
    if (rows !== measures.numbers.rowsAfter) throw new Error('The stage of a preview was emptied.');
    return measures;
  } finally {
    await clearStage(store, run.id);
  }
}

interface Measured {
  readonly id: string;
  readonly layer: AreaLayer;
  readonly atMs: number;
  readonly registers: readonly Located[];
}

type Located = Pick<TableRegister, 'id'> & { readonly located: LocatedRows };

function locatedIn({ registers }: Catalogue): readonly Located[] {
  return Object.values(registers).flatMap(({ id, located }) =>
    located === undefined ? [] : [{ id, located }],
  );
}

type Measures = Omit<ChangePreview, 'madeAtMs'>;

async function measure(
  store: Store,
  { id, layer, atMs, registers }: Measured,
  given?: StagedRun,
): Promise<Measures> {
  const { db } = store;
  const run = given ?? (await nextRun(db, layer));
  await stageDue(db, run, { fromMs: atMs, toMs: atMs });
  await standIn(db, run, id);
  const staged = await countStage(store, { id: run.id, layer });
  const difference = await diff(db, run.id, layer);
  const lastGood = await readLastGood(db, layer);
  const canary = await askCanary(db, run);
  const located: Record<string, number | null> = {};
  for (const register of registers) located[register.id] = await countLocated(db, run, register);
  const evidence = {
    ...noCounts(),
    ...difference,
    ...canary,
    ...(await askPlaces(db, run)),
    ...cameAll(staged.rows),
    lostFeatures: 0,
    // Stand-ins share the code of none.
    distinctKeys: staged.rows,
    areaM2: staged.areaM2,
    lastGoodRows: lastGood?.rows ?? null,
    lastGoodAreaM2: lastGood?.areaM2 ?? null,
  };
  return {
    guards: check(evidence, layer.guards).map(({ guard }) => guard),
    numbers: {
      ...difference,
      ...canary,
      rowsBefore: lastGood?.rows ?? 0,
      rowsAfter: staged.rows,
      ...(await measureLand(db, run)),
      located,
    },
  };
}

/**
 * For unknown successors, as many as announced. Borders between them are unknown: the first gets
 * all the land.
 */
async function standIn(db: Db, { id: runId }: StagedRun, changeId: string): Promise<void> {
  const ending = sql`
    select s.key from stage_feature s join dated_change c on c.id = ${changeId}
    where s.run_id = ${runId}::bigint and c.announced->'ends' ? (s.attributes->>'code')
      and not exists (
        select from dated_row d where d.layer = c.layer and d.begins_at = c.at)`;
  await sql`
    with land as (
      select ST_Multi(ST_Union(geom)) as geom from stage_feature
      where run_id = ${runId}::bigint and key in (${ending})
      having count(*) > 0
    )
    insert into stage_feature
      (run_id, key, object_id, standing, adopted, content_hash, attributes, geom)
    select ${runId}::bigint, ${STAND_IN} || nth, '', 'in_force', true, ''::bytea,
      jsonb_build_object('code', coalesce(code, ''), 'name', ''), case when nth = 1 then land.geom
        else ST_GeomFromText('MULTIPOLYGON EMPTY', ST_SRID(land.geom)) end
    from land, dated_change c, jsonb_array_elements_text(c.announced->'begins')
      with ordinality as begins(code, nth)
    where c.id = ${changeId}`.execute(db);
  await sql`
    delete from stage_feature
    where run_id = ${runId}::bigint and not starts_with(key, ${STAND_IN})
      and key in (${ending})`.execute(db);
}

/** A prefix of keys without a row: registers' keys contain no spaces. */
const STAND_IN = 'stand in ';

interface StagedRun {
  readonly id: string;
  readonly layer: AreaLayer;
}

function replaced({ id, layer }: StagedRun): RawBuilder<unknown> {
  return sql`
    old_rows as materialized (
      select a.key, a.code, a.name, a.geom from area a
      where a.theme = ${layer.id} and not exists (
        select from stage_feature s
        where s.run_id = ${id}::bigint and s.key = a.key and s.content_hash = a.content_hash)
    ),
    new_rows as materialized (
      select s.key, s.attributes->>'code' as code, s.attributes->>'name' as name, s.content_hash,
        s.geom
      from stage_feature s
      where s.run_id = ${id}::bigint and not exists (
        select from area a
        where a.theme = ${layer.id} and a.key = s.key and a.content_hash = s.content_hash)
    )`;
}

async function measureLand(
  db: Db,
  run: StagedRun,
): Promise<Pick<ChangePreview['numbers'], 'areaBeforeM2' | 'areaAfterM2'>> {
  const { before, after } = await oneRow<{ before: number; after: number }>(db)`
    with ${replaced(run)}
    select (select coalesce(sum(ST_Area(geom)), 0) from old_rows)::float8 as before,
      (select coalesce(sum(ST_Area(geom)), 0) from new_rows)::float8 as after`;
  return { areaBeforeM2: Math.round(before), areaAfterM2: Math.round(after) };
}

const PIECE_VERTICES = 64;

/**
 * Rows in force whose areas of this layer, or their names, will change; null: none are mirrored.
 */
async function countLocated(
  db: Db,
  run: StagedRun,
  { id, located: { table, point, points, inForce } }: Located,
): Promise<number | null> {
  const inside = (pieces: string) => sql`
    select p.id, q.tag from ${sql.table(pieces)} q
    join ${sql.table(points)} p on p.geom && q.geom and ST_Covers(q.geom, p.geom)`;
  return await firstValue<number | null>(db, null)`
    with ${replaced(run)},
    old_pieces as materialized (
      select q.geom, o.code || ' ' || o.name as tag
      from old_rows o join area_piece q on q.theme = ${run.layer.id} and q.key = o.key
    ),
    new_pieces as materialized (
      select q.geom, n.code || ' ' || n.name as tag
      from new_rows n join dated_piece q
        on q.layer = ${run.layer.id} and q.key = n.key and q.content_hash = n.content_hash
      union all
      -- Of one that stands in for what no file carries yet.
      select ST_Subdivide(n.geom, ${PIECE_VERTICES}::integer), n.code || ' ' || n.name
      from new_rows n where not exists (
        select from dated_piece q
        where q.layer = ${run.layer.id} and q.key = n.key and q.content_hash = n.content_hash)
    ),
    -- A point on a cut lies in two pieces of one area.
    old_hits as (select distinct id, tag from (${inside('old_pieces')}) hits),
    new_hits as (select distinct id, tag from (${inside('new_pieces')}) hits),
    changed as (
      select distinct coalesce(o.id, n.id) as point_id
      from old_hits o full join new_hits n on n.id = o.id and n.tag = o.tag
      where o.id is null or n.id is null
    )
    select case when exists (select from layer_state where layer = ${id}) then (
      select count(*) from changed join ${sql.table(table)} x
        on x.${sql.ref(point)} = changed.point_id
      where x.status = any(${inForce}::smallint[]))::integer end as count`;
}

async function keepPreview(
  { store }: Deps,
  { id, of }: Wanted,
  preview: ChangePreview,
): Promise<void> {
  await sql`
    update dated_change set preview = ${JSON.stringify(preview)}::jsonb, preview_of = ${of},
      previewed_at = ${instantText(preview.madeAtMs)}
    where id = ${id}`.execute(store.db);
}
