-- Place names (DS): one row a place, made of its names and of the table of its type while they are read
-- (src/layers/place-tables.ts). The register's own tables are not kept.

-- `names`: a JSON array, the name to show first. `unresolved`: names of a place that no table holds; of it
-- there is no more than the names. `easting`, `northing`: a point inside the place, EPSG:25832.
create table place (
  id bigint primary key,
  public_id text not null,
  main_type text,
  subtype text,
  names text not null,
  unresolved integer not null,
  inhabitants integer,
  easting double precision,
  northing double precision,
  geom geometry(Geometry, 25832),
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index place_public_id on place (public_id);
create index place_geom on place using gist (geom);

create table place_source (like address_source including all);

create table place_history (
  layer text not null default 'stednavne' check (layer = 'stednavne'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
