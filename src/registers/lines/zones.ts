/**
 * The dissolved zones of D27: touching or overlapping areas in force form one zone, whose edge
 * `afstand_m` is measured to from inside. Computed outside the run's transaction, only where
 * members changed.
 * Neighbours do not share borders bit for bit: slits of 1e-9 to 1 mm, up to 300 m long, would be
 * false edges. So the union is grown by half of ZONE_GAP_M and shrunk again, with mitred joins that
 * keep corners down to a fifth of a degree; if that changed the boundary's length, the parts of the
 * union's own boundary within EDGE_MATCH_M of the closed one are kept. Every edge is the union's
 * own, to 1e-8 m except for the two ends of a slit.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { allRows, firstValue } from '../../db/rows.ts';
import { isGeometryError } from '../../db/statement-failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { LineLayer } from '../../layers/catalogue.ts';

/** Wider gaps between areas stay open. */
export const ZONE_GAP_M = 0.0012;
const EDGE_MATCH_M = 0.0001;
/** A smaller change counts as none. */
const LENGTH_CHANGE_M = 0.001;
/** Maximum mitre length in half tolerances: angles from 0.12 degrees keep their tips. */
const MITRE_LIMIT = 1000;
const GRID_M = 1e-8;
/** Unchanged coordinates first; where that fails, zone by zone on a grid. */
const FIRST_WAY: Way = { gridM: -1, bufferScale: 1 };
/**
 * Whether a buffer can be computed depends on the last bits, so another width usually works. The
 * last way leaves slits open: the literal zone of D27 rather than none.
 */
const OTHER_WAYS: readonly Way[] = [1, 1.05, 0.95, 1.1, 0.9, 1.15, 0.85, 0].map((bufferScale) => ({
  gridM: GRID_M,
  bufferScale,
}));
/** Edges per row: 0.5 million rows for a layer of 7 million vertices, 25 µs per nearest edge. */
const EDGES_PER_PIECE = 16;

export interface ZoneRun {
  readonly runId: string;
  readonly layer: Pick<LineLayer, 'id' | 'geometry'>;
  readonly signal?: AbortSignal;
}

export interface ZoneChange {
  readonly added: number;
  readonly removed: number;
}

/** Writes only to the stage. */
export async function prepareZones(db: Db, { runId, layer, signal }: ZoneRun): Promise<void> {
  await dropStagedZones(db, runId);
  if (layer.geometry === 'line') return;
  await stageMembers(db, runId);
  // Freshly filled: without statistics the joins below would scan row by row.
  await sql`analyze stage_feature, stage_zone_member`.execute(db);
  for (const zones of batchesOf(await newZones(db, { runId, layer }))) {
    signal?.throwIfAborted();
    await dissolve(db, { runId, zones, ...FIRST_WAY });
    for (const way of OTHER_WAYS) {
      for (const zone of await edgeless(db, runId, zones)) {
        signal?.throwIfAborted();
        await dissolve(db, { runId, zones: [zone], ...way });
      }
    }
  }
  await sql`analyze stage_zone_edge`.execute(db);
  await expectWhole(db, { runId, layer });
}

/** In the publishing transaction. Throws when an area in force has no zone or a zone no edge. */
export async function applyZones(trx: Db, { runId, layer }: ZoneRun): Promise<ZoneChange> {
  if (layer.geometry === 'line') return { added: 0, removed: 0 };
  await expectWhole(trx, { runId, layer });
  await expectMembers(trx, { runId, layer });
  const gone = sql`
    select z.zone_key from line_zone z
    where z.layer = ${layer.id} and not exists (
      select from stage_zone_member m where m.run_id = ${runId} and m.zone_key = z.zone_key)`;
  await sql`
    delete from line_zone_edge where layer = ${layer.id} and zone_key in (${gone})`.execute(trx);
  const removed = await sql`
    delete from line_zone where layer = ${layer.id} and zone_key in (${gone})`.execute(trx);
  await sql`
    insert into line_zone_edge (layer, zone_key, geom)
    select ${layer.id}, e.zone_key, e.geom from stage_zone_edge e
    where e.run_id = ${runId} and not exists (
      select from line_zone z where z.layer = ${layer.id} and z.zone_key = e.zone_key)`.execute(
    trx,
  );
  const added = await sql`
    insert into line_zone (layer, zone_key)
    select distinct ${layer.id}, m.zone_key from stage_zone_member m
    where m.run_id = ${runId}
    on conflict do nothing`.execute(trx);
  await dropStagedZones(trx, runId);
  return {
    added: Number(added.numAffectedRows ?? 0),
    removed: Number(removed.numAffectedRows ?? 0),
  };
}

export async function dropStagedZones(db: Db, runId: string): Promise<void> {
  await sql`delete from stage_zone_edge where run_id = ${runId}`.execute(db);
  await sql`delete from stage_zone_member where run_id = ${runId}`.execute(db);
}

/**
 * A zone is identified by the shapes of its members. The first byte is the version of this
 * computation.
 */
async function stageMembers(db: Db, runId: string): Promise<void> {
  await sql`
    with member as materialized (
      select key, sha256(ST_AsBinary(geom, 'NDR')) as shape,
        ST_ClusterDBSCAN(geom, ${ZONE_GAP_M}::float8, 1) over () as cluster
      from stage_feature where run_id = ${runId} and standing = 'in_force'
    ),
    zone as (
      select cluster, '\\x01'::bytea || sha256(string_agg(shape, ''::bytea order by shape))
        as zone_key
      from member group by cluster
    )
    insert into stage_zone_member (run_id, zone_key, key)
    select ${runId}::bigint, z.zone_key, m.key from member m join zone z using (cluster)`.execute(
    db,
  );
}

interface NewZone {
  readonly zone_key: Buffer;
  readonly vertices: number;
}

async function newZones(db: Db, { runId, layer }: ZoneRun): Promise<readonly NewZone[]> {
  return await allRows<NewZone>(db)`
    select m.zone_key, sum(ST_NPoints(f.geom))::integer as vertices
    from stage_zone_member m
    join stage_feature f on f.run_id = m.run_id and f.key = m.key
    where m.run_id = ${runId} and not exists (
      select from line_zone z where z.layer = ${layer.id} and z.zone_key = m.zone_key)
    group by m.zone_key
    order by m.zone_key`;
}

function* batchesOf(zones: readonly NewZone[]): Generator<readonly Buffer[]> {
  let batch: Buffer[] = [];
  let vertices = 0;
  for (const zone of zones) {
    if (batch.length > 0 && vertices + zone.vertices > LIMITS.zoneBatchVertices) {
      yield batch;
      batch = [];
      vertices = 0;
    }
    batch.push(zone.zone_key);
    vertices += zone.vertices;
  }
  if (batch.length > 0) yield batch;
}

interface Way {
  /** -1: no grid. */
  readonly gridM: number;
  /** Share of the tolerance by which slits are closed. */
  readonly bufferScale: number;
}

interface Dissolving extends Way {
  readonly runId: string;
  readonly zones: readonly Buffer[];
}

/**
 * A geometry that cannot be computed ends the transaction, silently on the embedded store; its
 * zones then have no edges and are counted.
 */
async function dissolve(db: Db, dissolving: Dissolving): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      // Compiling these statements takes ten times as long as running them.
      await sql`select set_config('jit', 'off', true)`.execute(trx);
      await stageEdges(trx, dissolving);
    });
  } catch (error) {
    if (dissolving.bufferScale > 0 && isGeometryError(error)) return;
    throw error;
  }
}

async function edgeless(db: Db, runId: string, zones: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await sql<{ zone_key: Buffer }>`
    select zone_key from unnest(${zones}::bytea[]) zone_key
    where not exists (
      select from stage_zone_edge e where e.run_id = ${runId} and e.zone_key = zone_key.zone_key)`.execute(
    db,
  );
  return rows.map(({ zone_key }) => zone_key);
}

/**
 * Each zone has its own origin, in whole metres, where doubles are finer; the register's vertices
 * come back bit for bit.
 */
async function stageEdges(db: Db, dissolving: Dissolving): Promise<void> {
  const { runId, zones, gridM, bufferScale } = dissolving;
  const join = `join=mitre mitre_limit=${MITRE_LIMIT}`;
  const half = (bufferScale * ZONE_GAP_M) / 2;
  await sql`
    with member as materialized (
      select m.zone_key, f.geom, floor(min(ST_XMin(f.geom)) over zone) as x0,
        floor(min(ST_YMin(f.geom)) over zone) as y0
      from stage_zone_member m
      join stage_feature f on f.run_id = m.run_id and f.key = m.key
      where m.run_id = ${runId} and m.zone_key = any(${zones}::bytea[])
      window zone as (partition by m.zone_key)
    ),
    dissolved as materialized (
      -- In an order of the shapes alone: equal zones have equal edges, whenever they are dissolved.
      select zone_key, x0, y0, count(*) as members,
        ST_Union(ST_Translate(geom, -x0, -y0), ${gridM}::float8 order by geom) as geom
      from member group by zone_key, x0, y0
    ),
    closed as materialized (
      select *, case when members > 1 and ${bufferScale}::float8 > 0 then
        ST_Buffer(ST_Buffer(geom, ${half}::float8, ${join}), -${half}::float8, ${join})
        else geom end as closed
      from dissolved
    ),
    edge as materialized (
      select zone_key, ST_Translate(case
        when abs(ST_Perimeter(geom) - ST_Perimeter(closed)) < ${LENGTH_CHANGE_M}::float8
          then ST_Boundary(geom)
        else ST_CollectionExtract(ST_Intersection(ST_Boundary(geom),
          ST_Buffer(ST_Boundary(closed), ${bufferScale * EDGE_MATCH_M}::float8, 'quad_segs=2'),
          -- Edges that all but coincide: in floating numbers this fails.
          ${GRID_M}::float8), 2)
        end, x0, y0) as geom
      from closed
    ),
    line as materialized (
      select e.zone_key, ST_AsBinary(d.geom, 'NDR') as wkb, ST_NPoints(d.geom) as vertices
      from edge e cross join lateral ST_Dump(e.geom) d
    )
    insert into stage_zone_edge (run_id, zone_key, geom)
    select ${runId}::bigint, zone_key, ST_GeomFromWKB(
      '\\x0102000000'::bytea || decode(lpad(to_hex(edges + 1), 2, '0') || '000000', 'hex')
        || substring(wkb from 10 + 16 * first for 16 * (edges + 1)), 25832)
    from (
      select zone_key, wkb, first,
        least(${EDGES_PER_PIECE}::integer, vertices - 1 - first) as edges
      from line cross join lateral
        generate_series(0, vertices - 2, ${EDGES_PER_PIECE}::integer) as first
    ) piece`.execute(db);
}

/** Without an edge, a point inside has no distance. */
async function expectWhole(db: Db, { runId, layer }: ZoneRun): Promise<void> {
  const edgeless = await firstValue(db, 0)`
    select count(*)::integer as edgeless
    from (select distinct zone_key from stage_zone_member where run_id = ${runId}) m
    where not exists (
      select from line_zone z where z.layer = ${layer.id} and z.zone_key = m.zone_key)
    and not exists (
      select from stage_zone_edge e where e.run_id = ${runId} and e.zone_key = m.zone_key)`;
  if (edgeless > 0) throw new Error(`${edgeless} zones of ${layer.id} came out without an edge.`);
}

/** A restart of the database empties the stage, and an empty stage would delete every zone. */
async function expectMembers(trx: Db, { runId, layer }: ZoneRun): Promise<void> {
  const zoneless = await firstValue(trx, 0)`
    select count(*)::integer as zoneless
    from line_feature f
    where f.layer = ${layer.id} and f.standing = 'in_force' and not exists (
      select from stage_zone_member m where m.run_id = ${runId} and m.key = f.key)`;
  if (zoneless > 0) throw new Error(`${zoneless} areas of ${layer.id} are in no zone.`);
}
