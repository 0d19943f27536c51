-- expand
-- DAGI's id of a supplementary town name, null until its file is read whole again (a week). Rows of the
-- history are text of whole rows, so theirs get the column as well.

alter table address_town add column dagi_id text;

update address_history set was = left(was, -1) || ',)'
where entity = 'SupplerendeBynavn' and was is not null;
