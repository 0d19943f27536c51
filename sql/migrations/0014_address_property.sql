-- From the property register (EBR): which property (BFE) is at an address. A flat that is a property of
-- its own is linked by its unit address, a whole property by the access address.
create table address_property (
  id uuid primary key,
  status smallint not null,
  bfe bigint not null,
  access_id uuid,
  unit_id uuid,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create index address_property_unit on address_property (unit_id);
