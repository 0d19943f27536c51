-- expand
-- What the leader's sweep has removed, for the metric of all processes (D156, D200).
create table retention_sweep (
  name text primary key,
  removed bigint not null default 0,
  swept_at timestamptz not null
);
-- An erased customer (D201): what must stay has no name.
alter table account add column erased_at timestamptz;
