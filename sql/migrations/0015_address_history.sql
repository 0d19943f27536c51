-- The way back of the addresses: beside each publication the rows it took out of their tables and the
-- ids it put in, as feature_history keeps them of a layer.

-- What the tables had been read from (address_source); null for the layers of features.
alter table layer_history add column sources jsonb;

-- `was`: the row as it was, as text of its own table's row, to be put back; null: an id that was new. Of
-- entity `former`: the row of address_former that was new. A migration that changes the columns of a
-- table must empty this one: rows of another shape cannot be read back.
create table address_history (
  layer text not null default 'adresser' check (layer = 'adresser'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
