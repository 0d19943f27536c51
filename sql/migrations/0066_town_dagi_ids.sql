-- DAGI's id of a supplementary town name, null until its file is read whole again (a week). Rows of the
-- history are text of whole rows, so theirs get the column as well.

alter index address_town_pkey rename to address_town_before_pkey;
alter table address_town rename to address_town_before;

create table address_town (
  id uuid primary key,
  status smallint not null,
  name text not null,
  dagi_id text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);

insert into address_town (id, status, name, registered_from, valid_from)
select id, status, name, registered_from, valid_from from address_town_before;

update address_history h
set was = row((o.b).id, (o.b).status, (o.b).name, null::text, (o.b).registered_from,
  (o.b).valid_from)::address_town::text
from (
  select layer, version, entity, id, was::address_town_before as b
  from address_history where entity = 'SupplerendeBynavn' and was is not null) o
where h.layer = o.layer and h.version = o.version and h.entity = o.entity and h.id = o.id;

drop table address_town_before;
