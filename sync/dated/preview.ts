/**
 * What a dated change will do, worked out before its day: by the very statements of the run that will
 * carry it out, in a transaction that is always taken back. Nothing of it is ever to be seen.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../src/db/connect.ts';
import { isServerUnavailable } from '../../src/kernel/server-unavailable.ts';
import { layerOf } from '../../src/layers/catalogue.ts';
import type { AreaLayer } from '../../src/layers/catalogue.ts';
import { ADDRESSES, isAreaId } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { ChangePreview } from '../../src/ops/dated-changes.ts';
import { askCanary, askPlaces } from '../mirrors/features/canary.ts';
import { check } from '../check.ts';
import type { SyncDeps } from '../deps.ts';
import { noCounts } from '../deps.ts';
import { diff, readLastGood } from '../mirrors/features/diff.ts';
import { countStage } from '../mirrors/features/stage.ts';
import { stageDue } from './carry-out.ts';
import { withDatedGuards } from './guards.ts';
import { instantText } from './stage.ts';

type Db = Store['db'];
type Deps = Pick<SyncDeps, 'store' | 'catalogue' | 'clock' | 'log'>;

/** Works out every change whose preview is missing or of other content. Never rejects. */
export async function preparePreviews(deps: Deps): Promise<void> {
  const { store, log } = deps;
  try {
    for (const wanted of await readWanted(store.db)) {
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
    // That the store is away is told once, by who watches it.
    if (!isServerUnavailable(error))
      log.warn({ err: error }, 'the changes to come could not be previewed');
  }
}

interface Wanted {
  readonly id: string;
  readonly layer: LayerId;
  readonly atMs: number;
  /** What the preview is made of: another one makes it out of date. */
  readonly of: string;
}

/** Changes of mirrored layers that are still to come. */
async function readWanted(db: Db): Promise<readonly Wanted[]> {
  const { rows } = await sql<{ id: string; layer: LayerId; at_ms: number; of: string }>`
    select * from (
      select c.id, c.layer, (extract(epoch from c.at) * 1000)::float8 as at_ms, c.preview_of,
        md5(concat_ws(' ', s.version, c.announced::text,
          (select a.version from layer_state a where a.layer = 'adresser'),
          (select string_agg(d.key || d.begins_at || coalesce(d.ends_at::text, '')
            || coalesce(md5(d.content_hash), ''), ' ' order by d.key, d.begins_at)
          from dated_row d where d.layer = c.layer and (d.begins_at = c.at or d.ends_at = c.at))))
          as "of"
      from dated_change c join layer_state s on s.layer = c.layer
      where c.carried_out_at is null) changes
    where preview_of is distinct from "of" order by at_ms, layer`.execute(db);
  return rows.map(({ at_ms: atMs, ...row }) => ({ ...row, atMs }));
}

/** null: the layer is none of areas. Throws when the store does. */
export async function previewChange(
  { store, catalogue, clock }: Deps,
  { id, layer: layerId, atMs }: Pick<Wanted, 'id' | 'layer' | 'atMs'>,
): Promise<ChangePreview | null> {
  if (!isAreaId(layerId)) return null;
  const layer = await withDatedGuards(store, layerOf(catalogue, layerId) as AreaLayer);
  const undo = new Undo();
  try {
    await store.db.transaction().execute(async (trx) => {
      undo.preview = await measure({ ...store, db: trx }, { id, layer, atMs });
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  const { preview } = undo;
  return preview === null ? null : { ...preview, madeAtMs: clock.nowMs() };
}

/** Carries the preview out of the transaction that it takes back. */
class Undo extends Error {
  preview: Omit<ChangePreview, 'madeAtMs'> | null = null;
}

interface Measured {
  readonly id: string;
  readonly layer: AreaLayer;
  readonly atMs: number;
}

async function measure(
  store: Store,
  { id, layer, atMs }: Measured,
): Promise<Omit<ChangePreview, 'madeAtMs'>> {
  const { db } = store;
  const { rows } = await sql<{ id: string }>`
    select nextval(pg_get_serial_sequence('sync_run', 'id'))::text as id`.execute(db);
  const run = { id: rows[0]?.id ?? '0', layer };
  await stageDue(db, run, { fromMs: atMs, toMs: atMs });
  await standIn(db, run, id);
  const staged = await countStage(store, run.id);
  const difference = await diff(db, run.id, layer);
  const lastGood = await readLastGood(db, layer);
  const canary = await askCanary(db, run);
  const evidence = {
    ...noCounts(),
    ...difference,
    ...canary,
    ...(await askPlaces(db, run)),
    received: staged.rows,
    parsed: staged.rows,
    mapped: staged.rows,
    staged: staged.rows,
    distinctKeys: staged.distinctKeys,
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
      ...(await countAddresses(db, run)),
    },
  };
}

/**
 * Where areas are announced to end and no row of their successors is at hand: as many in their place as
 * are announced. Of several nobody knows the borders: the first has all their land, the others none.
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

/** The beginning of keys of no row: registers' keys hold no spaces. */
const STAND_IN = 'stand in ';

interface StagedRun {
  readonly id: string;
  readonly layer: AreaLayer;
}

/** Rows of the mirror that go or change, and rows of the stage that come or change. */
function replaced({ id, layer }: StagedRun): RawBuilder<unknown> {
  return sql`
    old_rows as materialized (
      select a.key, a.code, a.name, a.geom from area a
      where a.theme = ${layer.id} and not exists (
        select from stage_feature s
        where s.run_id = ${id}::bigint and s.key = a.key and s.content_hash = a.content_hash)
    ),
    new_rows as materialized (
      select s.key, s.attributes->>'code' as code, s.attributes->>'name' as name, s.geom
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
  const { rows } = await sql<{ before: number; after: number }>`
    with ${replaced(run)}
    select (select coalesce(sum(ST_Area(geom)), 0) from old_rows)::float8 as before,
      (select coalesce(sum(ST_Area(geom)), 0) from new_rows)::float8 as after`.execute(db);
  return {
    areaBeforeM2: Math.round(rows[0]?.before ?? 0),
    areaAfterM2: Math.round(rows[0]?.after ?? 0),
  };
}

/** Vertices of the pieces that points are looked for in, as those of the mirror. */
const PIECE_VERTICES = 64;

/**
 * Addresses in force whose areas of this layer will be other ones, or be called otherwise. Piece by
 * piece and not point by point: a piece is prepared once for all the points in its box.
 */
async function countAddresses(
  db: Db,
  run: StagedRun,
): Promise<Pick<ChangePreview['numbers'], 'addresses'>> {
  const inside = (pieces: string) => sql`
    select p.id, q.tag from ${sql.table(pieces)} q
    join address_point p on p.geom && q.geom and ST_Covers(q.geom, p.geom)`;
  const { rows } = await sql<{ count: number | null }>`
    with ${replaced(run)},
    old_pieces as materialized (
      select q.geom, o.code || ' ' || o.name as tag
      from old_rows o join area_piece q on q.theme = ${run.layer.id} and q.key = o.key
    ),
    new_pieces as materialized (
      select ST_Subdivide(geom, ${PIECE_VERTICES}::integer) as geom, code || ' ' || name as tag
      from new_rows
    ),
    -- A point on a cut lies in two pieces of one area.
    old_hits as (select distinct id, tag from (${inside('old_pieces')}) hits),
    new_hits as (select distinct id, tag from (${inside('new_pieces')}) hits),
    changed as (
      select distinct coalesce(o.id, n.id) as point_id
      from old_hits o full join new_hits n on n.id = o.id and n.tag = o.tag
      where o.id is null or n.id is null
    )
    select case when exists (select from layer_state where layer = ${ADDRESSES}) then (
      select count(*) from changed join address_access x using (point_id)
      where x.status = ${IN_FORCE}::smallint)::integer end as count`.execute(db);
  return { addresses: rows[0]?.count ?? null };
}

/** DAR's status of an access address in force. */
const IN_FORCE = 3;

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
