-- Which properties EBR had at which addresses on a day: a number that EBR alone held is no unknown one of the days
-- before it ended. `kept_from`: from when on rows of the past are kept of a table; null: from its first copy on.
create table address_property_former (
  like address_property, valid_to timestamptz not null, primary key (id, valid_from)
);
create index address_property_former_bfe on address_property_former (bfe);

alter table address_source add column kept_from timestamptz;
alter table bbr_source add column kept_from timestamptz;
alter table cadastre_source add column kept_from timestamptz;
alter table assessment_source add column kept_from timestamptz;
alter table protection_source add column kept_from timestamptz;
alter table company_source add column kept_from timestamptz;
alter table place_source add column kept_from timestamptz;

-- What ended before is not kept, in the copy and in those that it can go back to.
update address_source set kept_from = now() where entity = 'Ejendomsbeliggenhed';
update layer_history set sources = (
  select jsonb_agg(case when s ->> 'entity' = 'Ejendomsbeliggenhed'
    then s || jsonb_build_object('kept_from', now()) else s end)
  from jsonb_array_elements(sources) s)
where layer = 'adresser' and jsonb_typeof(sources) = 'array' and sources <> '[]';
