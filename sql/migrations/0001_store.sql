-- The store: mirrored layers, their state, and the log of the runs that filled them.
-- Runs on PostgreSQL 15+ with PostGIS 3.3+ and on PGlite with PostGIS alike.

create extension if not exists postgis;

-- One number for the whole store: every publish of any layer advances it (D19).
create table store_state (
  singleton boolean primary key default true check (singleton),
  generation bigint not null default 0
);
insert into store_state default values;

-- A layer's published version. No row: never mirrored.
create table layer_state (
  layer text primary key,
  version bigint not null,
  generation bigint not null,
  -- The last run that proved the copy equal to the source, whether or not it changed anything.
  synced_at timestamptz not null,
  published_at timestamptz not null,
  row_count integer not null,
  -- Sum of the areas, square metres; 0 for the two line layers.
  area_m2 double precision not null
);

-- One attempt to bring a layer up to date.
create table sync_run (
  id bigint generated always as identity primary key,
  layer text not null,
  trigger text not null check (trigger in ('start', 'schedule', 'command', 'operator', 'expired')),
  state text not null default 'running'
    check (state in ('running', 'published', 'unchanged', 'refused', 'failed')),
  phase text not null default 'claim',
  started_at timestamptz not null,
  -- Moved by the running process; a run whose heartbeat is old is dead.
  heartbeat_at timestamptz not null,
  ended_at timestamptz,
  version bigint,
  -- Pages, announced, received, parsed, skipped, issues, inserted, changed, removed, bytes …
  counts jsonb not null default '{}',
  -- { guard, message, numbers } when a check refused the run.
  refusal jsonb,
  error text,
  -- Guards an operator lifted for this run.
  lifted_guards text[] not null default '{}'
);
create unique index sync_run_one_per_layer on sync_run (layer) where state = 'running';
create index sync_run_by_layer on sync_run (layer, id desc);

-- One unreadable or repaired feature of a run.
create table sync_issue (
  id bigint generated always as identity primary key,
  run_id bigint not null references sync_run on delete cascade,
  feature_key text,
  kind text not null,
  detail text not null
);
create index sync_issue_by_run on sync_issue (run_id);

-- The desired state while a run prepares it. Several layers may be staged at once.
create unlogged table stage_feature (
  run_id bigint not null,
  key text not null,
  object_id text not null,
  standing text not null,
  adopted boolean not null,
  content_hash bytea not null,
  attributes jsonb not null,
  geom geometry not null
);
create index stage_feature_by_run on stage_feature (run_id, key);

-- The building lines' features, one partition a layer.
create table line_feature (
  layer text not null,
  key text not null,
  object_id text not null,
  standing text not null check (standing in ('in_force', 'repealed')),
  adopted boolean not null,
  content_hash bytea not null,
  attributes jsonb not null,
  area_m2 double precision,
  geom geometry(Geometry, 25832) not null,
  primary key (layer, key)
) partition by list (layer);
create index line_feature_geom on line_feature using gist (geom);

-- The dissolved zones of D27: touching in-force areas of a layer are one zone. zone_key is a hash
-- of the members' content, so an unchanged zone is left alone by the next publish.
create table line_zone (
  layer text not null,
  zone_key bytea not null,
  primary key (layer, zone_key)
) partition by list (layer);

-- The zones' outer and inner edges, cut into short pieces for the index.
create table line_zone_edge (
  layer text not null,
  zone_key bytea not null,
  geom geometry(LineString, 25832) not null
) partition by list (layer);
create index line_zone_edge_zone on line_zone_edge (layer, zone_key);
create index line_zone_edge_geom on line_zone_edge using gist (geom);

do $$
declare
  line text;
begin
  foreach line in array array['strandbeskyttelse', 'klitfredning', 'soe', 'aa', 'skov', 'kirke',
    'fortidsminde', 'dige', 'natur', 'vandloeb']
  loop
    execute format('create table line_feature_%s partition of line_feature for values in (%L)',
      line, line);
    execute format('create table line_zone_%s partition of line_zone for values in (%L)',
      line, line);
    execute format('create table line_zone_edge_%s partition of line_zone_edge for values in (%L)',
      line, line);
  end loop;
end $$;

-- The DAGI areas, whole.
create table area (
  theme text not null,
  key text not null,
  code text not null,
  name text not null,
  -- The region with the largest overlap (D41); computed when areas or regions are published.
  region_code text,
  content_hash bytea not null,
  attributes jsonb not null,
  geom geometry(MultiPolygon, 25832) not null,
  primary key (theme, key),
  unique (theme, code)
);

-- The areas cut into small pieces: a filter for points. What a piece says within a hair of its own
-- cut is checked against the whole area.
create table area_piece (
  theme text not null,
  key text not null,
  geom geometry(Polygon, 25832) not null,
  foreign key (theme, key) references area on delete cascade
);
create index area_piece_area on area_piece (theme, key);
create index area_piece_geom on area_piece using gist (geom);
