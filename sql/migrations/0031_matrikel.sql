-- The cadastre: parcels, the districts they are numbered in, their faces, and the three kinds of property
-- with a number (BFE) of their own. Tables as those of BBR (0030).

create table cadastre_district (
  id bigint primary key,
  code bigint not null,
  name text not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

-- The ground with all its parcels (SamletFastEjendom).
create table cadastre_property (
  id bigint primary key,
  status smallint not null,
  bfe bigint,
  is_divided text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index cadastre_property_bfe on cadastre_property (bfe);

-- `bfe`: the property it belongs to.
create table cadastre_parcel (
  id bigint primary key,
  status smallint not null,
  bfe bigint,
  number text,
  district_id bigint,
  municipality_code text,
  area bigint,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index cadastre_parcel_bfe on cadastre_parcel (bfe);

create table cadastre_flat (
  id bigint primary key,
  status smallint not null,
  bfe bigint,
  property_bfe bigint,
  number text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index cadastre_flat_bfe on cadastre_flat (bfe);

create table cadastre_foreign_building (
  id bigint primary key,
  status smallint not null,
  bfe bigint,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index cadastre_foreign_building_bfe on cadastre_foreign_building (bfe);

-- One or more a parcel: their union is where it lies.
create table cadastre_face (
  id text primary key,
  parcel_id bigint not null,
  geom geometry(MultiPolygon, 25832) not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index cadastre_face_parcel on cadastre_face (parcel_id);

create table cadastre_property_former (
  like cadastre_property, valid_to timestamptz not null, primary key (id, valid_from)
);
create index cadastre_property_former_bfe on cadastre_property_former (bfe);

create table cadastre_parcel_former (
  like cadastre_parcel, valid_to timestamptz not null, primary key (id, valid_from)
);
create index cadastre_parcel_former_bfe on cadastre_parcel_former (bfe);

create table cadastre_flat_former (
  like cadastre_flat, valid_to timestamptz not null, primary key (id, valid_from)
);
create index cadastre_flat_former_bfe on cadastre_flat_former (bfe);

create table cadastre_foreign_building_former (
  like cadastre_foreign_building, valid_to timestamptz not null, primary key (id, valid_from)
);
create index cadastre_foreign_building_former_bfe on cadastre_foreign_building_former (bfe);

create table cadastre_source (like address_source including all);

create table cadastre_history (
  layer text not null default 'matrikel' check (layer = 'matrikel'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
