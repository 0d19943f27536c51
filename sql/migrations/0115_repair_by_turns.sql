-- expand
-- As src/geo/repair.ts (D144, D155), to a thousandth of a millimetre: rings are cut into faces, and a part covers a
-- face that its shell goes round and no hole of it does. ST_MakeValid by structure loses land where a ring runs back
-- along itself. `kind`: 1 points, 2 lines, 3 areas.
create or replace function sound_geometry(given geometry, kind integer) returns geometry
language sql immutable parallel safe
as $$
  select case
    when ST_IsValid(given) then given
    when kind < 3 then ST_CollectionExtract(ST_MakeValid(given, 'method=structure keepcollapsed=false'), kind)
    else (
      with rings as materialized (
        select part.path as part, ring.path[1] as ring, ST_ExteriorRing(ring.geom) as line
        from ST_Dump(given) part cross join lateral ST_DumpRings(part.geom) ring
        where ST_GeometryType(part.geom) = 'ST_Polygon'
      ), edges as materialized (
        select part, ring, ST_X(ST_StartPoint(edge.geom)) as ax, ST_Y(ST_StartPoint(edge.geom)) as ay,
          ST_X(ST_EndPoint(edge.geom)) as bx, ST_Y(ST_EndPoint(edge.geom)) as by
        from rings cross join lateral ST_DumpSegments(line) edge
      ), faces as materialized (
        select face.path[1] as face, face.geom, ST_X(inside) as x, ST_Y(inside) as y
        from (select ST_Polygonize(lines) as all_faces
          from (select ST_UnaryUnion(ST_Collect(line), 1e-6) as lines from rings) noded) cut
        cross join lateral ST_Dump(all_faces) face
        cross join lateral ST_PointOnSurface(face.geom) inside
      ), turns as (
        select face, part, ring,
          sum(case when ay <= y then 1 else -1 end) <> 0 as goes_round
        from faces join edges on (ay > y) <> (by > y)
          -- An edge that is run there and back cancels out to the last bit, as a point may lie on it.
          and sign((ax - x) * (by - y) - (bx - x) * (ay - y)) = sign(by - ay)
        group by face, part, ring
      ), covered as (
        select face from turns where goes_round
        group by face, part having bool_or(ring = 0) and not bool_or(ring > 0)
      )
      select ST_SetSRID(
        ST_CollectionExtract(coalesce(ST_UnaryUnion(ST_Collect(geom), 1e-6), 'POLYGON EMPTY'), kind), ST_SRID(given))
      from faces where face in (select face from covered)
    ) end
$$;
