-- Listed and preserved buildings (FBB): a table for each of its layers that is read. `status` and `value`
-- are the register's codes, -1 where it leaves them open; `building_id`: in BBR.

create table protection_listed (
  id bigint not null,
  status integer not null,
  value integer not null,
  building_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null,
  primary key (id, status, value)
);
create index protection_listed_building on protection_listed (building_id);

create table protection_case (like protection_listed, primary key (id, status, value));
create index protection_case_building on protection_case (building_id);

create table protection_survey (like protection_listed, primary key (id, status, value));
create index protection_survey_building on protection_survey (building_id);

create table protection_source (like address_source including all);

create table protection_history (
  layer text not null default 'fbb' check (layer = 'fbb'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
