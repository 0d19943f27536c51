-- What a run that ended well led to, kept with the run: a layer's age over a month and the rows and area of
-- each of its versions are read from what was recorded then, not from samples (issue 21).
alter table sync_run
  -- When the copy that answered behind the run had been proved equal to its source.
  add column proved_at timestamptz,
  add column row_count integer,
  add column area_m2 double precision;

-- Of earlier runs: one that read the source proved it at its start. What a revert or a replay led to is not
-- known of them, and nothing is put in its place.
update sync_run set proved_at = started_at
where kind = 'sync' and state in ('published', 'unchanged');
update sync_run r set row_count = s.row_count, area_m2 = s.area_m2
from layer_state s
where r.layer = s.layer and r.version = s.version and r.state = 'published';
update sync_run r set row_count = h.row_count
from layer_history h
where r.layer = h.layer and r.version = h.version - 1 and r.state = 'published'
  and r.row_count is null;

create index sync_run_by_end on sync_run (layer, ended_at desc) where ended_at is not null;
create index sync_run_published on sync_run (layer, id desc) where state = 'published';
create index job_by_end on job (completed_at) where completed_at is not null;

-- Memory held against the store, by the hour, of all processes together. An hour without a row is one in
-- which nothing was written down: not one without differences.
create table self_audit_hour (
  hour timestamptz primary key,
  compared bigint not null check (compared >= 0),
  differences bigint not null check (differences >= 0),
  alarms bigint not null check (alarms >= 0),
  skipped bigint not null check (skipped >= 0)
);
