-- Buildings and dwellings as BBR holds them now: a table an entity, as the addresses have them (0010), in
-- force or not. Beside each the rows of the past, whole: a record of an earlier day is made of them.
-- Codes are the register's own text; an area of a case's row may be less than 0.

-- A property (BFE) as BBR refers to it.
create table bbr_property (
  id uuid primary key,
  status smallint not null,
  municipality_code text,
  bfe bigint,
  type text,
  cadastre_property_id bigint,
  cadastre_foreign_building_id bigint,
  cadastre_flat_id bigint,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_property_bfe on bbr_property (bfe);

create table bbr_ground (
  id uuid primary key,
  status smallint not null,
  municipality_code text,
  drainage text,
  sewer_membership text,
  sewer_order text,
  sewer_order_due date,
  exit_permit text,
  exit_permit_date date,
  alternative_permit text,
  alternative_permit_date date,
  discharge_permit text,
  access_id uuid,
  property_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_ground_property on bbr_ground (property_id);

create table bbr_ground_parcel (
  id uuid primary key,
  ground_id uuid not null,
  parcel_id bigint,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_ground_parcel_ground on bbr_ground_parcel (ground_id);
create index bbr_ground_parcel_parcel on bbr_ground_parcel (parcel_id);

create table bbr_building (
  id uuid primary key,
  status smallint not null,
  municipality_code text,
  number integer,
  use text,
  built_year integer,
  rebuilt_year integer,
  outer_wall text,
  roof text,
  other_outer_wall text,
  other_roof text,
  asbestos text,
  total_area integer,
  dwelling_area integer,
  business_area integer,
  footprint_area integer,
  storeys integer,
  deviating_storeys text,
  heating text,
  heating_fuel text,
  other_heating text,
  drainage text,
  sewer_membership text,
  sewer_order text,
  sewer_order_due date,
  exit_permit text,
  exit_permit_date date,
  alternative_permit text,
  alternative_permit_date date,
  geom geometry(Point, 25832),
  coordinate_system text,
  ground_id uuid,
  parcel_id bigint,
  access_id uuid,
  foreign_property_id uuid,
  flat_property_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_building_ground on bbr_building (ground_id);
create index bbr_building_foreign_property on bbr_building (foreign_property_id)
  where foreign_property_id is not null;
create index bbr_building_flat_property on bbr_building (flat_property_id)
  where flat_property_id is not null;

-- Buildings on somebody else's ground: the property that is the building.
create table bbr_building_property (
  id uuid primary key,
  building_id uuid not null,
  property_id uuid not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_building_property_building on bbr_building_property (building_id);
create index bbr_building_property_property on bbr_building_property (property_id);

create table bbr_floor (
  id uuid primary key,
  status smallint not null,
  designation text,
  area integer,
  attic_area integer,
  low_basement_area integer,
  basement_dwelling_area integer,
  type text,
  building_id uuid not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_floor_building on bbr_floor (building_id);

create table bbr_entrance (
  id uuid primary key,
  status smallint not null,
  access_id uuid,
  building_id uuid not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_entrance_building on bbr_entrance (building_id);

create table bbr_unit (
  id uuid primary key,
  status smallint not null,
  use text,
  total_area integer,
  rooms integer,
  heating text,
  heating_fuel text,
  address_id uuid,
  floor_id uuid,
  entrance_id uuid,
  building_id uuid,
  flat_property_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_unit_floor on bbr_unit (floor_id);
create index bbr_unit_entrance on bbr_unit (entrance_id);
create index bbr_unit_building on bbr_unit (building_id) where building_id is not null;

-- The flat (a property of its own) that a unit is.
create table bbr_unit_property (
  id uuid primary key,
  unit_id uuid not null,
  property_id uuid not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_unit_property_unit on bbr_unit_property (unit_id);
create index bbr_unit_property_property on bbr_unit_property (property_id);

create table bbr_facility (
  id uuid primary key,
  status smallint not null,
  number integer,
  class text,
  established_year integer,
  rebuilt_year integer,
  size_class text,
  placement text,
  decommissioning text,
  serial_number text,
  type_approval text,
  size double precision,
  wall_type text,
  contents text,
  decommissioning_due date,
  volume double precision,
  area double precision,
  height double precision,
  made_year integer,
  material text,
  corrosion_protection text,
  corrosion_protection_date date,
  decommissioned_year integer,
  rotor_diameter double precision,
  cover text,
  inspection_date date,
  geom geometry(Point, 25832),
  operation text,
  latest_inspection date,
  ground_id uuid,
  building_id uuid,
  unit_id uuid,
  foreign_property_id uuid,
  flat_property_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index bbr_facility_ground on bbr_facility (ground_id);
create index bbr_facility_building on bbr_facility (building_id) where building_id is not null;
create index bbr_facility_unit on bbr_facility (unit_id) where unit_id is not null;
create index bbr_facility_foreign_property on bbr_facility (foreign_property_id)
  where foreign_property_id is not null;
create index bbr_facility_flat_property on bbr_facility (flat_property_id)
  where flat_property_id is not null;

-- The past. A row was true from `valid_from` until `valid_to`, as far as the register knows by now.
create table bbr_property_former (
  like bbr_property, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_property_former_bfe on bbr_property_former (bfe);

create table bbr_ground_former (
  like bbr_ground, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_ground_former_property on bbr_ground_former (property_id);

create table bbr_ground_parcel_former (
  like bbr_ground_parcel, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_ground_parcel_former_ground on bbr_ground_parcel_former (ground_id);

create table bbr_building_former (
  like bbr_building, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_building_former_ground on bbr_building_former (ground_id);
create index bbr_building_former_foreign_property on bbr_building_former (foreign_property_id)
  where foreign_property_id is not null;
create index bbr_building_former_flat_property on bbr_building_former (flat_property_id)
  where flat_property_id is not null;

create table bbr_building_property_former (
  like bbr_building_property, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_building_property_former_building on bbr_building_property_former (building_id);
create index bbr_building_property_former_property on bbr_building_property_former (property_id);

create table bbr_floor_former (
  like bbr_floor, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_floor_former_building on bbr_floor_former (building_id);

create table bbr_entrance_former (
  like bbr_entrance, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_entrance_former_building on bbr_entrance_former (building_id);

create table bbr_unit_former (
  like bbr_unit, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_unit_former_floor on bbr_unit_former (floor_id);
create index bbr_unit_former_entrance on bbr_unit_former (entrance_id);
create index bbr_unit_former_building on bbr_unit_former (building_id)
  where building_id is not null;

create table bbr_unit_property_former (
  like bbr_unit_property, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_unit_property_former_unit on bbr_unit_property_former (unit_id);
create index bbr_unit_property_former_property on bbr_unit_property_former (property_id);

create table bbr_facility_former (
  like bbr_facility, valid_to timestamptz not null, primary key (id, valid_from)
);
create index bbr_facility_former_ground on bbr_facility_former (ground_id);
create index bbr_facility_former_building on bbr_facility_former (building_id)
  where building_id is not null;
create index bbr_facility_former_unit on bbr_facility_former (unit_id) where unit_id is not null;
create index bbr_facility_former_foreign_property on bbr_facility_former (foreign_property_id)
  where foreign_property_id is not null;
create index bbr_facility_former_flat_property on bbr_facility_former (flat_property_id)
  where flat_property_id is not null;

-- Which file each table was read from, and the way back, as address_source and address_history (0010,
-- 0015). Of the past the history keeps a row as it was, under its entity and the word `former`.
create table bbr_source (like address_source including all);

create table bbr_history (
  layer text not null default 'bbr' check (layer = 'bbr'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
