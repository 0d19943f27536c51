/**
 * Derived data of a theme's publication: pieces for point queries, regions of areas (D41), postal
 * districts.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { allRows, firstValue } from '../../db/rows.ts';
import { POSTAL, THEMES } from '../../layers/keys.ts';
import type { AreaId, LayerId, Theme } from '../../layers/keys.ts';
import { regionsDigest } from './ahead.ts';

const WITH_REGION = THEMES.filter((theme) => theme !== 'region');

/** 42 µs a point at 64 vertices; more at 256 and at 32 (measured, PostGIS 3.3). */
const PIECE_VERTICES = 64;

/** Rounding along the cuts. */
const CUT_ERROR_M2 = 1;

/**
 * With floating numbers the embedded store silently loses a statement when two borders nearly
 * coincide.
 */
const OVERLAP_GRID_M = 1e-6;

const pieces = (geom: RawBuilder<unknown>) => sql`
  (select piece from ST_Subdivide(${geom}, ${PIECE_VERTICES}::integer) as piece
  where ST_Dimension(piece) = 2)`;

/** Throws, so that nothing is published, when the pieces do not add up to the land. */
export async function cutNewAreas(trx: Db, theme: AreaId): Promise<void> {
  const uncut = sql`a.theme = ${theme} and not exists (
    select from area_piece p where p.theme = a.theme and p.key = a.key)`;
  const { rows: asked } = await sql<{ key: string }>`
    select a.key from area a where ${uncut}`.execute(trx);
  // Distinct: two processes of an earlier release may have cut the same row.
  await sql`
    insert into area_piece (theme, key, geom)
    select distinct a.theme, a.key, d.geom
    from area a join dated_piece d
      on d.layer = a.theme and d.key = a.key and d.content_hash = a.content_hash
    where ${uncut}`.execute(trx);
  await sql`
    insert into area_piece (theme, key, geom)
    select a.theme, a.key, q.piece from area a cross join lateral ${pieces(sql`a.geom`)} q
    where ${uncut}`.execute(trx);
  const missing = await firstValue(trx, 0)`
    select count(*)::integer as missing
    from area a left join (
      select key, sum(ST_Area(geom)) as area_m2 from area_piece
      where theme = ${theme} and key = any(${asked.map(({ key }) => key)}::text[]) group by key
    ) p using (key)
    where a.theme = ${theme} and a.key = any(${asked.map(({ key }) => key)}::text[])
      and not coalesce(abs(p.area_m2 - ST_Area(a.geom)) <= ${CUT_ERROR_M2}::float8, false)`;
  if (missing > 0) throw new Error(`${missing} areas of ${theme} came out of the cutting in part.`);
}

/** The lock keeps other processes from cutting the same row. */
export async function cutAhead(db: Db, layer: LayerId): Promise<void> {
  const isKept = sql`exists (
    select from dated_row d where d.layer = p.layer and d.key = p.key
      and d.content_hash = p.content_hash)`;
  await sql`delete from dated_piece p where p.layer = ${layer} and not ${isKept}`.execute(db);
  const uncut = sql`d.layer = ${layer} and d.geom is not null and not exists (
    select from dated_piece p where p.layer = d.layer and p.key = d.key
      and p.content_hash = d.content_hash)`;
  const { rows } = await sql<{ key: string; hash: string }>`
    select distinct d.key, encode(d.content_hash, 'hex') as hash from dated_row d
    where ${uncut}`.execute(db);
  for (const { key, hash } of rows) {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext('dated_piece'))`.execute(trx);
      await sql`
        insert into dated_piece (layer, key, content_hash, geom)
        select d.layer, d.key, d.content_hash, q.piece
        from (select * from dated_row d where ${uncut} and d.key = ${key}
          and d.content_hash = decode(${hash}, 'hex') limit 1) d
        cross join lateral ${pieces(sql`d.geom`)} q`.execute(trx);
    });
  }
}

/**
 * Assigns each area the region it shares most land with (D41). A theme looks at its rows without a
 * region; regions at rows that new ones may meet or whose region is gone. Returns the other themes
 * with changed rows. Throws when an overlap could not be computed.
 */
export async function assignRegions(trx: Db, theme: Theme): Promise<readonly AreaId[]> {
  // A new or changed row is inserted without a region.
  const { rows: fresh } = await sql<{ key: string }>`
    update area set region_code = code
    where theme = 'region' and region_code is distinct from code
    returning key`.execute(trx);
  const foreseen = await putForeseen(trx, theme);
  const asked =
    theme === 'region'
      ? besideFresh(fresh.map(({ key }) => key))
      : sql`a.theme = ${theme} and a.region_code is null`;
  const largest = foreseen.isAll
    ? []
    : await largestShares(trx, sql`${asked} and not (${foreseen.isKnown})`);
  const { rows } = await sql<{ theme: AreaId }>`
    update area a set region_code = w.code
    from unnest(${largest.map((row) => row.theme)}::text[], ${largest.map((row) => row.key)}::text[],
      ${largest.map((row) => row.code)}::text[]) as w (theme, key, code)
    where a.theme = w.theme and a.key = w.key and a.region_code is distinct from w.code
    returning a.theme`.execute(trx);
  return [...new Set([...foreseen.themes, ...rows.map((row) => row.theme)])].filter(
    (other) => other !== theme,
  );
}

/** Applies regions computed in advance. Returns the changed themes, and whether any row is left. */
async function putForeseen(
  trx: Db,
  theme: Theme,
): Promise<{
  readonly themes: readonly AreaId[];
  readonly isKnown: RawBuilder<unknown>;
  readonly isAll: boolean;
}> {
  const regions = await regionsDigest(trx);
  const isForeseen = sql`d.regions = ${regions} and d.theme = a.theme and d.key = a.key
    and d.content_hash = a.content_hash`;
  const { rows } = await sql<{ theme: AreaId }>`
    update area a set region_code = d.code from dated_region d
    where ${isForeseen} and (${theme} = 'region' or a.theme = ${theme})
      and a.region_code is distinct from d.code
    returning a.theme`.execute(trx);
  const isKnown = sql`exists (select from dated_region d where ${isForeseen})`;
  const { rows: unknown } = await sql`
    select from area a
    where a.theme = any(${WITH_REGION}::text[]) and (${theme} = 'region' or a.theme = ${theme})
      and not (${isKnown}) limit 1`.execute(trx);
  return { themes: rows.map((row) => row.theme), isKnown, isAll: unknown.length === 0 };
}

/** Areas whose region is gone or new, or that may meet a new one. */
function besideFresh(keys: readonly string[]): RawBuilder<unknown> {
  return sql`a.theme = any(${WITH_REGION}::text[]) and (
    not coalesce(a.region_code = any(array(
      select code from area where theme = 'region' and key <> all(${keys}::text[]))), false)
    or exists (
      select from area_piece f
      where f.theme = 'region' and f.key = any(${keys}::text[]) and f.geom && a.geom))`;
}

/** Shared land is measured only where several regions are near. */
async function largestShares(trx: Db, asked: RawBuilder<unknown>): Promise<readonly Candidate[]> {
  const near = await sql<Candidate>`
    select a.theme, a.key, r.code
    from area a
    cross join (select key, code from area where theme = 'region') r
    where ${asked} and exists (
      select from area_piece q where q.theme = 'region' and q.key = r.key and q.geom && a.geom)`.execute(
    trx,
  );
  const first = split(near.rows);
  const { rows: met } = await sql<Candidate>`
    select distinct a.theme, a.key, r.code ${meeting('region', among(first.several))}`.execute(trx);
  const second = split(met);
  return [
    ...(await sharing(trx, [...first.sole, ...second.sole])),
    ...largestOverlaps(await overlapsWith(trx, 'region', among(second.several))),
  ];
}

type Candidate = Pick<Overlap, 'theme' | 'key' | 'code'>;

function split(candidates: readonly Candidate[]): {
  readonly sole: readonly Candidate[];
  readonly several: readonly Candidate[];
} {
  const byArea = [...Map.groupBy(candidates, ({ theme, key }) => `${theme} ${key}`).values()];
  return {
    sole: byArea.filter(({ length }) => length === 1).flat(),
    several: byArea.filter(({ length }) => length > 1).flat(),
  };
}

function among(areas: readonly Candidate[]): RawBuilder<unknown> {
  return sql`(a.theme, a.key) in (
    select * from unnest(${areas.map(({ theme }) => theme)}::text[],
      ${areas.map(({ key }) => key)}::text[]))`;
}

/** Two overlapping pieces suffice. Throws when that could not be computed. */
async function sharing(trx: Db, pairs: readonly Candidate[]): Promise<readonly Candidate[]> {
  const { rows } = await sql<Candidate & { shares: boolean }>`
    select c.theme, c.key, c.code, exists (
      -- The limit keeps the order: from the few pieces of the area to those of the region beside it.
      select from area_piece p cross join lateral (
        select from area_piece q
        where q.theme = 'region' and q.key = r.key and q.geom && p.geom
          and ST_Intersects(q.geom, p.geom)
          and ST_Area(ST_Intersection(p.geom, q.geom, ${OVERLAP_GRID_M}::float8)) > 0
        limit 1) hit
      where p.theme = c.theme and p.key = c.key) as shares
    from unnest(${pairs.map(({ theme }) => theme)}::text[], ${pairs.map(({ key }) => key)}::text[],
      ${pairs.map(({ code }) => code)}::text[]) as c (theme, key, code)
    join area r on r.theme = 'region' and r.code = c.code`.execute(trx);
  if (rows.length !== pairs.length) {
    throw new Error(`Of ${pairs.length} areas in one region ${rows.length} could be worked out.`);
  }
  return rows.flatMap(({ shares, ...pair }) => (shares ? [pair] : []));
}

/** Less is one border drawn twice. */
const SHARED_SHARE = 0.01;
const SHARED_M2 = 1_000_000;

/**
 * For new or changed districts, for all when municipalities were published. Throws when an overlap
 * could not be computed.
 */
export async function describeDistricts(
  trx: Db,
  published: typeof POSTAL | 'kommune',
): Promise<void> {
  await sql`
    delete from postal_district d where ${published === 'kommune'} or not exists (
      select from area a
      where a.theme = ${POSTAL} and a.code = d.code and a.content_hash = d.content_hash)`.execute(
    trx,
  );
  const asked = sql`a.theme = ${POSTAL} and not exists (
    select from postal_district d where d.code = a.code)`;
  const lying = municipalitiesOf(await overlapsWith(trx, 'kommune', asked));
  await sql`
    insert into postal_district
      (code, content_hash, min_x, min_y, max_x, max_y, municipality_codes)
    select a.code, a.content_hash, ST_XMin(a.geom), ST_YMin(a.geom), ST_XMax(a.geom),
      ST_YMax(a.geom), coalesce(string_to_array(m.codes, ' '), '{}')
    from area a left join unnest(${[...lying.keys()]}::text[],
      ${[...lying.values()].map((codes) => codes.join(' '))}::text[]) as m (key, codes)
      on m.key = a.key
    where ${asked}`.execute(trx);
}

function municipalitiesOf(overlaps: readonly Overlap[]): ReadonlyMap<string, readonly string[]> {
  const byKey = Map.groupBy(overlaps, ({ key }) => key);
  return new Map(
    [...byKey].map(([key, shared]) => {
      const landM2 = shared.reduce((sum, each) => sum + each.shared_m2, 0);
      const leastM2 = Math.min(SHARED_M2, SHARED_SHARE * landM2);
      const codes = shared.flatMap((each) => (each.shared_m2 > leastM2 ? [each.code] : []));
      return [key, codes.toSorted()];
    }),
  );
}

async function overlapsWith(
  trx: Db,
  other: Theme,
  asked: RawBuilder<unknown>,
): Promise<readonly Overlap[]> {
  const pairs = meeting(other, asked);
  const expected = await allRows<Overlap>(trx)`
    select distinct a.theme, a.key, r.code, 0 as shared_m2 ${pairs}`;
  const rows = await allRows<Overlap>(trx)`
    select a.theme, a.key, r.code,
      sum(ST_Area(ST_Intersection(p.geom, q.geom, ${OVERLAP_GRID_M}::float8))) as shared_m2
    ${pairs} group by a.theme, a.key, r.code`;
  if (rows.length !== expected.length) {
    throw new Error(`Of ${expected.length} overlaps with ${other} ${rows.length} have an area.`);
  }
  return rows;
}

function meeting(other: Theme, asked: RawBuilder<unknown>): RawBuilder<unknown> {
  // By pieces: whole areas against whole coastlines would take minutes.
  return sql`
    from area a
    join area_piece p on p.theme = a.theme and p.key = a.key
    join area_piece q on q.theme = ${other} and q.geom && p.geom and ST_Intersects(q.geom, p.geom)
    join area r on r.theme = q.theme and r.key = q.key
    where ${asked}`;
}

interface Overlap {
  readonly theme: string;
  readonly key: string;
  readonly code: string;
  readonly shared_m2: number;
}

/** Ties by the lowest code. */
function largestOverlaps(overlaps: readonly Overlap[]): Overlap[] {
  const largest = new Map<string, Overlap>();
  for (const overlap of overlaps) {
    if (overlap.shared_m2 <= 0) continue;
    const key = `${overlap.theme} ${overlap.key}`;
    const best = largest.get(key);
    const isMore =
      best === undefined ||
      overlap.shared_m2 > best.shared_m2 ||
      (overlap.shared_m2 === best.shared_m2 && overlap.code < best.code);
    if (isMore) largest.set(key, overlap);
  }
  return [...largest.values()];
}
