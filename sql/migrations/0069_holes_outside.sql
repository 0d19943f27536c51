-- expand
-- As src/geo/repair.ts: a hole that does not meet its shell is neither area nor hole (D155); ST_MakeValid
-- would make it an area. `kind`: 1 points, 2 lines, 3 areas.
create or replace function sound_geometry(given geometry, kind integer) returns geometry
language sql immutable parallel safe
as $$
  select case when ST_IsValid(given) then given
    else ST_CollectionExtract(ST_MakeValid(case when kind < 3 then given else (
      select ST_Collect(ST_MakePolygon(ST_ExteriorRing(part.geom), array(
        select ST_ExteriorRing(ring.geom) from ST_DumpRings(part.geom) ring
        where ring.path[1] > 0 and ST_Intersects(
          ST_MakeValid(ST_MakePolygon(ST_ExteriorRing(part.geom)), 'method=structure keepcollapsed=false'),
          ST_MakeValid(ring.geom, 'method=structure keepcollapsed=false')))))
      from ST_Dump(given) part where ST_GeometryType(part.geom) = 'ST_Polygon') end,
      'method=structure keepcollapsed=false'), kind) end
$$;
