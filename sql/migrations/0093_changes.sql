-- expand
-- One log of changes over all mirrors (D225): a row a publication, a row a changed key. What a row was before is in
-- the history of its register.
create table change_transaction (
  nr integer primary key,
  layer text not null,
  version bigint not null,
  at timestamptz not null,
  first_event integer not null,
  events integer not null check (events >= 0),
  -- Of the transaction after it: a start takes a number of its own.
  next_event integer not null,
  counts jsonb not null,
  is_start boolean not null,
  -- Its rows before are leaving, or have left.
  is_gone boolean not null default false,
  unique (layer, version)
);

create table change_event (
  event integer not null unique,
  layer text not null,
  version bigint not null,
  entity text not null,
  key text not null,
  operation smallint not null check (operation between 1 and 4),
  primary key (layer, entity, key, version)
);

-- Numbers go on where the mirror was lost and the rest was restored from a dump without it.
alter table store_state add column next_event integer not null default 1;

-- What was mirrored before there was a log begins it, with numbers of publications that were.
insert into change_transaction
  (nr, layer, version, at, first_event, events, next_event, counts, is_start)
select g.generation - count(*) over () + n.nr, n.layer, n.version, n.published_at, n.nr, 0, n.nr + 1, '[]', true
from (
  select layer, version, published_at, row_number() over (order by generation, layer) as nr
  from layer_state) n, store_state g;

-- A publication that logs nothing begins the log of its layer anew: a first one, or one of a program of before.
create function begin_changes() returns trigger language plpgsql as $$
begin
  with first as (
    select greatest(s.next_event, coalesce((
      select t.next_event from change_transaction t order by t.nr desc limit 1), 1)) as event
    from store_state s),
  logged as (
  insert into change_transaction
    (nr, layer, version, at, first_event, events, next_event, counts, is_start)
  select new.generation, new.layer, new.version, new.published_at, event, 0, event + 1, '[]', true from first
  on conflict do nothing returning next_event)
  update store_state s set next_event = l.next_event from logged l;
  return null;
end $$;
create constraint trigger layer_state_begins_changes after insert or update of version on layer_state
  deferrable initially deferred for each row execute function begin_changes();

-- A step that was taken, or was a step back itself, is not reverted to again; one whose rows leave is no step.
alter table layer_history add column is_taken boolean not null default false;
alter table layer_history add column is_leaving boolean not null default false;
