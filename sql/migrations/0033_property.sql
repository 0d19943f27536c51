-- What the question about a property asks by, beside 0030 and 0031.
create index bbr_unit_flat_property on bbr_unit (flat_property_id)
  where flat_property_id is not null;
create index bbr_unit_former_flat_property on bbr_unit_former (flat_property_id)
  where flat_property_id is not null;
create index address_property_bfe on address_property (bfe);

-- From when the store knows what a mirror said on a day (D85): of sources that tell of today only.
alter table layer_state add column first_published_at timestamptz not null default now();
update layer_state l set first_published_at = least(l.published_at, coalesce(
  (select min(h.published_at) from layer_history h where h.layer = l.layer), l.published_at));
