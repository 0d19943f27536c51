-- Companies (CVR): one row a company, made of the register's tables while they are read
-- (src/layers/company-tables.ts). Their own rows, of persons and production units too, are not kept.

-- `record`: a JSON array; text, because nothing asks into it. `unresolved`: 1 where the register has no
-- name, no form or no address of it.
create table company (
  number bigint primary key,
  record text not null,
  unresolved integer not null,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

create table company_source (like address_source including all);

create table company_history (
  layer text not null default 'cvr' check (layer = 'cvr'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
