-- Parcels are stored once, as the cadastre has them (0031): the addresses take their BFE from there. What
-- their own table held answers until the cadastre is mirrored, which takes its place whole.

insert into cadastre_parcel (id, status, bfe, registered_from, valid_from)
select id, status, bfe, registered_from, valid_from from address_parcel;

drop table address_parcel;
delete from address_source where entity = 'Jordstykke';
delete from address_history where entity = 'Jordstykke';
update layer_history
set sources = (
  select coalesce(jsonb_agg(s), '[]') from jsonb_array_elements(sources) s
  where s ->> 'entity' <> 'Jordstykke')
where layer = 'adresser' and sources is not null;
