-- expand
-- Who leads the scheduled syncs of all processes over this store. `epoch` rises with every taking, and a
-- publication that a leader began checks it in its own transaction. Times are this server's.
create table sync_lease (
  only_row boolean primary key default true check (only_row),
  epoch bigint not null,
  holder text not null,
  since timestamptz not null,
  expires_at timestamptz not null
);

-- null: a person asked for the run, or it is older than leases.
alter table sync_run add column lease_epoch bigint;
