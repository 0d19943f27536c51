-- Public assessments (VUR): one row a property (BFE), made of the register's three tables while they are
-- read (src/layers/assessment-tables.ts). Their own 100 million rows are not kept.

-- `assessments`: a JSON array, newest year first; text, because nothing asks into it. `unresolved`:
-- references to assessments that the register does not hold.
create table assessment (
  bfe bigint primary key,
  assessments text not null,
  unresolved integer not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

create table assessment_source (like address_source including all);

create table assessment_history (
  layer text not null default 'vurdering' check (layer = 'vurdering'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
