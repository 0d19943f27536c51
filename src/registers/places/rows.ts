import { sql } from 'kysely';

export const PLACE_COLUMNS = sql`
  p.public_id, p.main_type, p.subtype, p.names, p.inhabitants, p.easting, p.northing,
  ST_XMin(p.geom) as min_x, ST_YMin(p.geom) as min_y, ST_XMax(p.geom) as max_x,
  ST_YMax(p.geom) as max_y, ST_Area(p.geom) as area_m2, lying.municipality_codes`;

/**
 * Joined to `p`: municipalities that share more than a border with it, else those whose border it
 * lies on. A point on a border lies in both (D44). By pieces, since whole areas would take minutes.
 */
export const LYING = sql`
  left join lateral (
    select coalesce(array_agg(m.code order by m.code) filter (where m.shares),
      array_agg(m.code order by m.code)) as municipality_codes
    from (
      select a.code, bool_or(ST_Dimension(p.geom) = 0 or not ST_Touches(q.geom, p.geom)) as shares
      from area_piece q join area a on a.theme = q.theme and a.key = q.key
      where q.theme = 'kommune' and q.geom && p.geom and ST_Intersects(q.geom, p.geom)
      group by a.code) m) lying on true`;
