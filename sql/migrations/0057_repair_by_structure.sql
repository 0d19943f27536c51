-- Geometry made sound by structure, never by even-odd, which takes what is covered twice for a hole: what
-- a part covers is what its shell goes round less what its holes go round, and an area is what any part
-- covers. The one repair of the store; src/geo/repair.ts is the same in memory. Only what the layer is
-- made of is kept: `kind` 1 points, 2 lines, 3 areas.
create function sound_geometry(given geometry, kind integer) returns geometry
language sql immutable parallel safe
as $$
  select case when ST_IsValid(given) then given
    else ST_CollectionExtract(ST_MakeValid(given, 'method=structure keepcollapsed=false'), kind) end
$$;
