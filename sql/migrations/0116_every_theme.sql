-- expand
-- As in 0073, of every area but the districts: a further theme is covered by itself.
create or replace function covering_areas(
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
  where s.theme not in ('postnummer', 'afstemningsomraade', 'menighedsraadsafstemningsomraade') and case
    when ST_DWithin(ST_Boundary(s.geom), p.geom, hair_m) then ST_Covers(a.geom, p.geom)
    else ST_Covers(s.geom, p.geom)
  end;
end $$;
