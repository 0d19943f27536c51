-- expand
-- Conditions of land (D209): one row a feature, whatever the layer, so that a further layer needs no table.
-- The days are judged when a condition is asked for, so that a plan begins and ends without a sync.
create table condition_feature (
  layer text not null,
  key text not null,
  object_id text not null,
  standing text not null,
  adopted boolean not null,
  content_hash bytea not null,
  attributes jsonb not null,
  area_m2 double precision,
  valid_from date,
  valid_to date,
  geom geometry(MultiPolygon, 25832) not null,
  primary key (layer, key)
);
alter table condition_feature alter column geom set storage external;
create index condition_feature_geom on condition_feature using gist (geom);

-- The features in small pieces: a zone of thousands of parts is not unpacked for one point.
create table condition_piece (
  layer text not null,
  key text not null,
  geom geometry(Polygon, 25832) not null,
  foreign key (layer, key) references condition_feature (layer, key) on delete cascade
);
alter table condition_piece alter column geom set storage external;
create index condition_piece_feature on condition_piece (layer, key);
create index condition_piece_geom on condition_piece using gist (geom);
