-- Every area that covers each point, boundary included (ST_Covers, D44). A function, as
-- building_line_answers is, so that it is planned once per connection, by the indexes, and never
-- compiled: joined freely, the planner reads every area's row for one point (1 ms instead of 0.2).
-- The pieces only filter: their cuts are no edges of the area, so within `hair_m` of a piece's own
-- edge the whole area is asked (pieces alone missed 0.09 % of the points on cuts).
create function covering_areas(
  xs double precision[], ys double precision[], hair_m double precision)
returns table (point_no integer, theme text, code text, name text)
language plpgsql stable rows 6
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
set jit = 'off'
as $$
#variable_conflict use_column
begin
  return query
  select distinct p.no::integer, a.theme, a.code, a.name
  from (
    select u.no, ST_SetSRID(ST_MakePoint(u.x, u.y), 25832) as geom
    from unnest(xs, ys) with ordinality as u (x, y, no) offset 0
  ) p
  join area_piece s on ST_DWithin(s.geom, p.geom, hair_m)
  join area a on a.theme = s.theme and a.key = s.key
  where case
    when ST_DWithin(ST_Boundary(s.geom), p.geom, hair_m) then ST_Covers(a.geom, p.geom)
    else ST_Covers(s.geom, p.geom)
  end;
end $$;
