-- expand
-- Since when each of DAWA's entities has events (D255): one that a release adds or defines anew has none of before.
create table replication_entity (
  entity text primary key,
  -- A hash of how its rows are read; null: as they were before this table was here.
  definition text,
  -- The last transaction without its events, and the last one with them.
  since integer not null,
  until integer not null
);
insert into replication_entity (entity, since, until)
select entity, 0, latest.nr
from unnest('{adgangsadresse,adresse,vejstykke,navngivenvej,postnummer,dar_navngivenvej_aktuel,
  dar_navngivenvejkommunedel_aktuel,dar_husnummer_aktuel,dar_adresse_aktuel,jordstykke,ejerlav,kommune,region,sogn,
  retskreds,politikreds,opstillingskreds,sted,stednavn}'::text[]) entity
cross join (select max(nr) as nr from replication_transaction) latest
where latest.nr is not null;
