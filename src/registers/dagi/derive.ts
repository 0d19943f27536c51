/**
 * What follows from the areas of a theme: the small pieces a point is filtered by, and the region
 * of each area (D41). Called inside the transaction that publishes the theme.
 */
import { sql } from 'kysely';
import type { Database } from '../../db/tables.generated.ts';
import type { Kysely } from 'kysely';
import type { Theme } from '../../layers/keys.ts';

/** Vertices a piece may have: 42 µs a point at 64, more at 256 and at 32 (measured, PostGIS 3.3). */
const PIECE_VERTICES = 64;

/**
 * Cuts every area of the theme that has no pieces yet. A changed area was deleted and inserted
 * anew, and its pieces went with it, so an unchanged one costs nothing here.
 */
export async function cutNewAreas(trx: Kysely<Database>, theme: Theme): Promise<void> {
  await sql`
    insert into area_piece (theme, key, geom)
    select a.theme, a.key, piece
    from area a cross join lateral ST_Subdivide(a.geom, ${PIECE_VERTICES}) as piece
    where a.theme = ${theme} and not exists (
      select from area_piece p where p.theme = a.theme and p.key = a.key)
      and ST_Dimension(piece) = 2`.execute(trx);
}

/**
 * Gives every area the region it shares most land with; a region has its own code (D41). A theme's
 * publish looks at its own rows without a region, a publish of the regions at every row: only rows
 * whose region really changes are written.
 */
export async function assignRegions(trx: Kysely<Database>, theme: Theme): Promise<void> {
  const asked = theme === 'region' ? sql`true` : sql`a.theme = ${theme} and a.region_code is null`;
  // Overlap by the pieces: whole areas against whole coastlines would cost minutes.
  await sql`
    with overlap as (
      select a.theme, a.key, r.code, sum(ST_Area(ST_Intersection(p.geom, q.geom))) as shared_m2
      from area a
      join area_piece p on p.theme = a.theme and p.key = a.key
      join area_piece q on q.theme = 'region' and q.geom && p.geom
        and ST_Intersects(q.geom, p.geom)
      join area r on r.theme = 'region' and r.key = q.key
      where a.theme <> 'region' and ${asked}
      group by a.theme, a.key, r.code
    ),
    largest as (
      select distinct on (theme, key) theme, key, code
      from overlap where shared_m2 > 0
      order by theme, key, shared_m2 desc, code
    ),
    wanted as (
      select theme, key, code from largest
      union all
      select theme, key, code from area where theme = 'region'
    )
    update area a set region_code = w.code
    from wanted w
    where a.theme = w.theme and a.key = w.key and a.region_code is distinct from w.code`.execute(
    trx,
  );
}
