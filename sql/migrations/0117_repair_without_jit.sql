-- expand
-- Where JIT is on, as behind a pooler, each call compiled its statements anew: half a second a geometry, at 0115.
alter function sound_geometry(geometry, integer) set jit = 'off';
alter function zone_edge_distance(text, geometry) set jit = 'off';
