-- Addresses as DAR holds them now, living and retired: a table an entity, so that a total replaces one
-- table and a delta changes rows of one table. `registered_from` and `valid_from` are those of the row
-- that is true now; a change is only ever made by a row registered later.

create table address_postcode (
  id uuid primary key,
  status smallint not null,
  code text not null,
  name text not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

create table address_town (
  id uuid primary key,
  status smallint not null,
  name text not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

create table address_road (
  id uuid primary key,
  status smallint not null,
  name text not null,
  short_name text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

-- A named road within a municipality, and the code it has there.
create table address_road_part (
  id uuid primary key,
  status smallint not null,
  road_id uuid not null,
  municipality_code text not null,
  road_code text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

-- Null where the register has no point in Denmark.
create table address_point (
  id uuid primary key,
  status smallint not null,
  geom geometry(Point, 25832),
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index address_point_geom on address_point using gist (geom);

create table address_access (
  id uuid primary key,
  status smallint not null,
  road_id uuid,
  house_number text not null,
  designation text,
  postcode_id uuid,
  town_id uuid,
  municipality_code text,
  parcel_id bigint,
  point_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index address_access_point on address_access (point_id);

create table address_unit (
  id uuid primary key,
  status smallint not null,
  access_id uuid not null,
  floor text,
  door text,
  designation text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index address_unit_access on address_unit (access_id);

-- From the cadastre: of a parcel the property (BFE) it belongs to.
create table address_parcel (
  id bigint primary key,
  status smallint not null,
  bfe bigint,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

-- What was true before: rows of the past as the register delivers them, and rows that a newer one
-- replaced here. The columns are those of the kind; the others are null.
create table address_former (
  kind text not null check (kind in ('road', 'access', 'unit')),
  id uuid not null,
  valid_from timestamptz not null,
  valid_to timestamptz not null,
  name text,
  road_id uuid,
  house_number text,
  postcode_id uuid,
  town_id uuid,
  access_id uuid,
  floor text,
  door text,
  primary key (kind, id, valid_from)
);

-- Which file each table was read from, and how far its deltas have come. The counters belong to the
-- version of the register's data model. Written in the transaction that publishes or confirms.
create table address_source (
  entity text primary key,
  version text not null,
  total_generation bigint not null,
  total_md5 text not null,
  generation bigint not null,
  next_change_at timestamptz,
  columns jsonb not null
);
