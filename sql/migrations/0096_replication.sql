-- expand
-- DAWA's numbers of the log's transactions (D230): what of each is an event of an entity, by key. Rows are read from
-- the history of their registers.
create table replication_transaction (
  nr integer primary key,
  layer text not null,
  at timestamptz not null,
  -- The log of its layer begins here: events before it are not all there.
  is_start boolean not null,
  last_event integer not null,
  counts jsonb not null
);

create table replication_event (
  nr integer primary key,
  transaction integer not null references replication_transaction on delete cascade,
  entity text not null,
  operation text not null check (operation in ('insert', 'update', 'delete')),
  key text[] not null,
  unique (transaction, entity, key)
);
create index replication_event_entity on replication_event (entity, nr);
