import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { oneRow } from '../../../src/db/rows.ts';
import type { Store } from '../../../src/db/connect.ts';
import { DENMARK_UTM32 } from '../../../src/geo/box.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { isGeometryError } from '../../../src/db/statement-failures.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import { isAreaId, isLineKey } from '../../../src/layers/keys.ts';
import type { LayerId } from '../../../src/layers/keys.ts';
import type { EncodedFeature, PageIssue, ParsedPage } from '../../../src/wfs/page.ts';
import type { ReadPlace } from '../../../src/wfs/remains.ts';
import type { Run } from '../../deps.ts';
import { keepIssues } from '../../issues.ts';
import type { Issue } from '../../issues.ts';
import { mendedInMemory } from './mend.ts';
import type { OddRow } from './mend.ts';
import type { Unread } from './unread.ts';

export async function stagePage(store: Store, run: Run, page: ParsedPage): Promise<void> {
  const { counts } = run;
  const skipped = Object.entries(page.skipped);
  counts.parsed += page.features.length + page.issues.length;
  counts.mapped += page.features.length;
  counts.unreadable += page.issues.length;
  for (const [reason, count] of skipped) {
    counts.parsed += count;
    counts.skipped[reason] = (counts.skipped[reason] ?? 0) + count;
  }
  run.unread.push(...page.issues);
  await keepIssues(store, run, page.issues.map(unreadable));
  for (const batch of batchesOf(page.features)) {
    run.signal.throwIfAborted();
    await stageBatch(store, run, batch);
  }
}

function unreadable({ key, reason }: PageIssue): Issue {
  return { key, kind: 'unreadable', detail: reason };
}

function* batchesOf(features: readonly EncodedFeature[]): Generator<readonly EncodedFeature[]> {
  let batch: EncodedFeature[] = [];
  let bytes = 0;
  for (const feature of features) {
    const full = batch.length >= LIMITS.stageBatchRows;
    if (full || (batch.length > 0 && bytes + feature.wkb.length > LIMITS.stageBatchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(feature);
    bytes += feature.wkb.length;
  }
  if (batch.length > 0) yield batch;
}

/** Smaller differences between areas are rounding, square metres. */
const SAME_M2 = 0.01;

async function stageBatch(store: Store, run: Run, batch: readonly EncodedFeature[]): Promise<void> {
  const odd = await insert(store, run, batch);
  run.counts.staged += batch.length;
  for (const { fate, area_before: before, area_after: after, slivers, ...row } of odd) {
    run.counts.slivers += slivers;
    const twiceM2 = fate === 'repaired' ? coveredTwice(after, row.area_by_lines) : 0;
    run.counts.coveredTwice += twiceM2 > 0 ? 1 : 0;
    run.counts.coveredTwiceM2 += twiceM2;
    if (fate === 'repaired') {
      run.counts.repaired += 1;
      run.counts.repairedAreaM2 += Math.abs(after - before);
    } else run.counts.staged -= 1;
    if (fate === 'empty') run.counts.lostInRepair += 1;
    if (fate === 'outside-denmark') run.counts.outsideDenmark += 1;
  }
  run.unread.push(...odd.filter(({ fate }) => fate !== 'repaired').map(unreadOf));
  await keepIssues(store, run, odd.map(describeOdd));
}

function coveredTwice(after: number, byLines: number | null): number {
  const apart = byLines === null ? 0 : after - byLines;
  return apart > SAME_M2 ? apart : 0;
}

async function insert(
  store: Store,
  run: Run,
  batch: readonly EncodedFeature[],
): Promise<readonly OddRow[]> {
  const isSafe = store.kind !== 'embedded' || run.layer.geometry === 'line';
  if (!isSafe) return await insertMended(store, run, batch);
  return await oddOf(store, run, batch).catch((error: unknown) => {
    if (!isGeometryError(error)) throw error;
    return insertMended(store, run, batch);
  });
}

async function oddOf(
  { db }: Pick<Store, 'db'>,
  run: Run,
  batch: readonly EncodedFeature[],
  mended: ReadonlySet<string> | null = null,
): Promise<readonly OddRow[]> {
  const { rows } = await insertBatch(run, batch, mended).execute(db);
  return rows;
}

/** A failing geometry engine ends the whole process of the embedded store, and its stage. */
async function insertMended(
  store: Store,
  run: Run,
  batch: readonly EncodedFeature[],
): Promise<readonly OddRow[]> {
  const mended = await mendedInMemory(store, batch);
  const sound = batch.flatMap((feature) => {
    const wkb = mended.get(feature.key)?.wkb;
    if (wkb === undefined) return [feature];
    return wkb === null ? [] : [{ ...feature, wkb }];
  });
  const odd = sound.length === 0 ? [] : await oddOf(store, run, sound, new Set(mended.keys()));
  const told = new Set(odd.map(({ key }) => key));
  const lost = [...mended.values()].map(({ row }) => row).filter(({ key }) => !told.has(key));
  return [...odd.map((row) => besides(row, mended.get(row.key)?.row)), ...lost];
}

function besides(row: OddRow, before: OddRow | undefined): OddRow {
  const { fate, slivers, area_after } = row;
  return before === undefined ? row : { ...before, fate, slivers, area_after };
}

/**
 * A repair keeps only the layer's kind: polygons or lines. Slivers are dropped from polygons; a
 * building line measures to each. `mended`: keys already repaired; others are valid. The box is
 * tested first: a non-numeric coordinate cannot be repaired.
 */
function insertBatch(
  run: Run,
  batch: readonly EncodedFeature[],
  mended: ReadonlySet<string> | null,
) {
  const { minX, maxX, minY, maxY } = DENMARK_UTM32;
  const isArea = run.layer.geometry === 'area';
  const showsRings = !isLineKey(run.layer.id);
  const dimension = isArea ? 3 : 2;
  return sql<OddRow>`
    with given as (${givenRows(batch, mended)}),
    judged as materialized (
      select *, case
        when ST_IsEmpty(geom) then 'empty'
        when not coalesce(ST_XMin(geom) >= ${minX}::float8 and ST_XMax(geom) <= ${maxX}::float8
          and ST_YMin(geom) >= ${minY}::float8 and ST_YMax(geom) <= ${maxY}::float8, false)
          then 'outside-denmark'
        when is_mended then 'repaired'
        when ${mended !== null} or ST_IsValid(geom) then null
        else 'repaired' end as fate
      from given
    ),
    repaired as materialized (
      select *, case
        when fate is null then geom
        when is_mended then geom
        when fate = 'repaired' then sound_geometry(geom, ${dimension}::integer)
        end as repaired
      from judged
    ),
    mended as materialized (
      select r.*, coalesce(s.slivers, 0) as slivers,
        case when s.slivers > 0 then s.kept else r.repaired end as mended
      from repaired r
      left join lateral (${withoutSlivers(sql`r.repaired`)}) s
        on r.fate = 'repaired' and ${showsRings}
    ),
    kept as (
      insert into stage_feature
        (run_id, key, object_id, standing, adopted, content_hash, attributes, geom)
      select ${run.id}::bigint, key, object_id, standing, adopted,
        ${contentHash(sql`fate = 'repaired'`)}, attributes::jsonb, ST_Multi(mended)
      from mended where mended is not null and not ST_IsEmpty(mended)
    )
    select key, object_id, slivers,
      case when fate = 'repaired' and coalesce(ST_IsEmpty(mended), true) then 'empty' else fate end
        as fate,
      case when fate = 'repaired' then ST_IsValidReason(geom) else ST_Envelope(geom)::box2d::text end
        as problem,
      case when not ST_IsEmpty(geom) then
        array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)] end as box,
      ST_Area(geom) as area_before, coalesce(ST_Area(mended), 0) as area_after,
      case when fate = 'repaired' and ${isArea} and not is_mended then ST_Area(ST_MakeValid(geom)) end as area_by_lines
    from mended where fate is not null`;
}

/** Another way of repair is other content. */
export const REPAIR = 'D281';

export function contentHash(isRepaired: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${isRepaired} then sha256(hash || ${Buffer.from(REPAIR)}::bytea) else hash end`;
}

function givenRows(batch: readonly EncodedFeature[], mended: ReadonlySet<string> | null) {
  return sql`
    select key, object_id, standing, adopted, hash, attributes, is_mended,
      ST_Force2D(ST_GeomFromWKB(wkb, 25832)) as geom
    from unnest(${batch.map(({ key }) => key)}::text[],
      ${batch.map(({ objectId }) => objectId)}::text[],
      ${batch.map(({ standing }) => standing)}::text[],
      ${batch.map(({ adopted }) => adopted)}::boolean[],
      ${batch.map(({ hash }) => bytes(hash))}::bytea[],
      ${batch.map(({ attributes }) => attributes)}::text[],
      ${batch.map(({ wkb }) => bytes(wkb))}::bytea[],
      ${batch.map(({ key }) => mended?.has(key) === true)}::boolean[])
      as t(key, object_id, standing, adopted, hash, attributes, wkb, is_mended)`;
}

/** Decimals of metres in answers (D43). */
const ROUNDING_M = 0.01;

/**
 * Without rings that are flat or reversed once rounded: a shell takes its polygon with it. `kept`
 * is null where nothing is left.
 */
function withoutSlivers(polygons: RawBuilder<unknown>) {
  return sql`
    select sum(slivers)::integer as slivers, ST_Collect(polygon) as kept
    from (
      select count(*) filter (where is_sliver) as slivers,
        case when bool_and(not is_sliver) filter (where ring_no = 0) then ST_MakePolygon(
          (array_agg(ring) filter (where ring_no = 0))[1],
          coalesce(array_agg(ring) filter (where ring_no > 0 and not is_sliver), '{}')) end as polygon
      from (
        select d.path[1] as part_no, r.path[1] as ring_no, ST_ExteriorRing(r.geom) as ring,
          case
            when coalesce(ST_NPoints(rounded.ring), 0) < 4 then true
            when ST_Area(ST_MakePolygon(rounded.ring)) = 0 then true
            else ST_IsPolygonCCW(ST_MakePolygon(rounded.ring)) <> ST_IsPolygonCCW(r.geom)
          end as is_sliver
        from ST_Dump(ST_Multi(${polygons})) d
        cross join lateral ST_DumpRings(d.geom) r
        cross join lateral (
          select ST_SnapToGrid(ST_ExteriorRing(r.geom), ${ROUNDING_M}::float8) as ring) rounded
      ) rings
      group by part_no
    ) parts`;
}

function bytes(array: Uint8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/**
 * Of a feature that was read whole. Outside Denmark it may be anywhere in it: its previous place
 * counts too.
 */
export function placeOfBox(box: Bounds | null): ReadPlace | null {
  if (box === null) return null;
  const [west, south, east, north] = box;
  const { minX, maxX, minY, maxY } = DENMARK_UTM32;
  const meets = west <= maxX && east >= minX && south <= maxY && north >= minY;
  const isWhole = west >= minX && east <= maxX && south >= minY && north <= maxY;
  return meets ? { box, isWhole } : null;
}

function unreadOf({ key, object_id: objectId, fate, box, problem }: OddRow): Unread {
  const place = placeOfBox(box);
  return { key, objectId, reason: `${fate}: ${problem}`, place, raw: '' };
}

function describeOdd(row: OddRow): Issue {
  const { key, fate, problem } = row;
  if (fate === 'outside-denmark') return { key, kind: fate, detail: `Lies in ${problem}.` };
  if (fate === 'empty') return { key, kind: fate, detail: `Nothing is left of it: ${problem}.` };
  const change = (row.area_after - row.area_before).toFixed(3);
  const apart = coveredTwice(row.area_after, row.area_by_lines);
  const twice =
    apart === 0
      ? ''
      : `, ${row.area_after.toFixed(2)} m² where even-odd has ${(row.area_by_lines ?? 0).toFixed(2)} m²`;
  const swept = row.slivers === 0 ? '' : `, ${row.slivers} slivers dropped`;
  const detail = `${problem}; the repair changed the area by ${change} m²${twice}${swept}.`;
  return { key, kind: fate, detail };
}

export interface StageCounts {
  readonly rows: number;
  readonly distinctKeys: number;
  readonly areaM2: number;
}

/** Counted by the store. Updates statistics first: the planner thinks the table empty. */
export async function countStage(
  store: Store,
  { id: runId, layer }: Pick<Run, 'id' | 'layer'>,
): Promise<StageCounts> {
  const codes = isAreaId(layer.id) ? sql`count(distinct object_id)` : sql`count(*)`;
  await sql`analyze stage_feature`.execute(store.db);
  return await oneRow<StageCounts>(store.db)`
    select count(*)::integer as rows, least(count(distinct key), ${codes})::integer as "distinctKeys",
      coalesce(sum(ST_Area(geom)), 0)::float8 as "areaM2"
    from stage_feature where run_id = ${runId}`;
}

const STAGE_TABLES = [
  'stage_feature',
  'stage_zone_member',
  'stage_zone_edge',
  'stage_dated_row',
] as const;

export async function clearStage({ db }: Store, runId: string): Promise<void> {
  for (const table of STAGE_TABLES) {
    await sql`delete from ${sql.table(table)} where run_id = ${runId}`.execute(db);
  }
}

export async function clearDeadStage({ db }: Store, layer: LayerId): Promise<void> {
  for (const table of STAGE_TABLES) {
    await sql`
      delete from ${sql.table(table)} where run_id in (
        select id from sync_run where layer = ${layer} and state <> 'running')`.execute(db);
  }
}

/** The embedded store has no autovacuum, so the stage would grow forever. */
export async function vacuumStage({ db }: Store): Promise<void> {
  for (const table of STAGE_TABLES) await sql`vacuum ${sql.table(table)}`.execute(db);
}
