/**
 * What follows from the areas of a theme: the small pieces a point is filtered by, the region of each
 * area (D41), and where the postal districts lie. Called inside the transaction that publishes the theme.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../db/tables.generated.ts';
import type { Kysely } from 'kysely';
import { POSTAL } from '../../layers/keys.ts';
import type { AreaId, Theme } from '../../layers/keys.ts';

/** Vertices a piece may have: 42 µs a point at 64, more at 256 and at 32 (measured, PostGIS 3.3). */
const PIECE_VERTICES = 64;

/** Land a theme's pieces may lack or have too much, square metres: rounding along the cuts. */
const CUT_ERROR_M2 = 1;

/**
 * Overlaps are worked out on this grid, metres. In floating numbers the embedded store's engine loses
 * a whole statement without a word when two borders nearly coincide.
 */
const OVERLAP_GRID_M = 1e-6;

/**
 * Cuts every area of the theme that has no pieces yet. A changed area was deleted and inserted
 * anew, and its pieces went with it, so an unchanged one costs nothing here. Throws, so that nothing
 * is published, when the pieces are not all of the land.
 */
export async function cutNewAreas(trx: Kysely<Database>, theme: AreaId): Promise<void> {
  await sql`
    insert into area_piece (theme, key, geom)
    select a.theme, a.key, piece
    from area a cross join lateral ST_Subdivide(a.geom, ${PIECE_VERTICES}) as piece
    where a.theme = ${theme} and not exists (
      select from area_piece p where p.theme = a.theme and p.key = a.key)
      and ST_Dimension(piece) = 2`.execute(trx);
  const { rows } = await sql<{ missing: number }>`
    select count(*)::integer as missing
    from area a left join (
      select key, sum(ST_Area(geom)) as area_m2 from area_piece where theme = ${theme} group by key
    ) p using (key)
    where a.theme = ${theme}
      and not coalesce(abs(p.area_m2 - ST_Area(a.geom)) <= ${CUT_ERROR_M2}::float8, false)`.execute(
    trx,
  );
  const missing = rows[0]?.missing ?? 0;
  if (missing > 0) throw new Error(`${missing} areas of ${theme} came out of the cutting in part.`);
}

/**
 * Gives every area the region it shares most land with; a region has its own code (D41). A theme's
 * publish looks at its own rows without a region, a publish of the regions at every row: only rows
 * whose region really changes are written. Gives the other themes of such rows. Throws when an overlap
 * could not be worked out.
 */
export async function assignRegions(
  trx: Kysely<Database>,
  theme: Theme,
): Promise<readonly AreaId[]> {
  await sql`
    update area set region_code = code
    where theme = 'region' and region_code is distinct from code`.execute(trx);
  const asked =
    theme === 'region'
      ? sql`a.theme not in ('region', ${POSTAL})`
      : sql`a.theme = ${theme} and a.region_code is null`;
  const largest = largestOverlaps(await overlapsWith(trx, 'region', asked));
  const { rows } = await sql<{ theme: AreaId }>`
    update area a set region_code = w.code
    from unnest(${largest.map((row) => row.theme)}::text[], ${largest.map((row) => row.key)}::text[],
      ${largest.map((row) => row.code)}::text[]) as w (theme, key, code)
    where a.theme = w.theme and a.key = w.key and a.region_code is distinct from w.code
    returning a.theme`.execute(trx);
  return [...new Set(rows.map((row) => row.theme))].filter((other) => other !== theme);
}

/** The least of a municipality that a district lies in: less is two borders drawn twice. */
const SHARED_SHARE = 0.01;
const SHARED_M2 = 1_000_000;

/**
 * Works out of each postal district its extent and the municipalities it lies in: of districts that
 * are new or changed, or of all of them when the municipalities were published. Throws when an
 * overlap could not be worked out.
 */
export async function describeDistricts(
  trx: Kysely<Database>,
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

/** Codes of the municipalities by the key of the district, ascending. */
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

/** The land that areas asked for (`a`) share with each area of another theme. */
async function overlapsWith(
  trx: Kysely<Database>,
  other: Theme,
  asked: RawBuilder<unknown>,
): Promise<readonly Overlap[]> {
  // By the pieces: whole areas against whole coastlines would cost minutes.
  const meeting = sql`
    from area a
    join area_piece p on p.theme = a.theme and p.key = a.key
    join area_piece q on q.theme = ${other} and q.geom && p.geom and ST_Intersects(q.geom, p.geom)
    join area r on r.theme = q.theme and r.key = q.key
    where ${asked}`;
  const expected = await sql<Overlap>`
    select distinct a.theme, a.key, r.code, 0 as shared_m2 ${meeting}`.execute(trx);
  const { rows } = await sql<Overlap>`
    select a.theme, a.key, r.code,
      sum(ST_Area(ST_Intersection(p.geom, q.geom, ${OVERLAP_GRID_M}::float8))) as shared_m2
    ${meeting} group by a.theme, a.key, r.code`.execute(trx);
  if (rows.length !== expected.rows.length) {
    throw new Error(
      `Of ${expected.rows.length} overlaps with ${other} ${rows.length} could be worked out.`,
    );
  }
  return rows;
}

interface Overlap {
  readonly theme: string;
  readonly key: string;
  readonly code: string;
  readonly shared_m2: number;
}

/** One row an area: the region with most land in common, of equals the lowest code. */
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
