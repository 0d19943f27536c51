-- Tiles of parcels are cut from the store: which faces lie in a tile (D139).
create index cadastre_face_geom on cadastre_face using gist (geom);
