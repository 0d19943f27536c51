-- Changes that are known ahead, with the instant they come into effect. Nothing here is read by a
-- lookup: rows become visible when a run at or after their instant publishes them.

-- Rows of the mirrored file that begin in the future, and ends of rows that are in effect.
create table dated_row (
  layer text not null,
  key text not null,
  -- -infinity: the row is in effect, in the mirror, and only its end is kept here.
  begins_at timestamptz not null,
  ends_at timestamptz,
  object_id text,
  standing text,
  adopted boolean,
  content_hash bytea,
  attributes jsonb,
  geom geometry(Geometry, 25832),
  primary key (layer, key, begins_at),
  check (num_nulls(object_id, standing, adopted, content_hash, attributes, geom) in (0, 6)),
  check ((geom is null) = (begins_at = '-infinity')),
  check (geom is not null or ends_at is not null)
);

create unlogged table stage_dated_row (
  run_id bigint not null,
  key text not null,
  begins_at timestamptz not null,
  ends_at timestamptz,
  object_id text,
  standing text,
  adopted boolean,
  content_hash bytea,
  attributes jsonb,
  geom geometry
);
create index stage_dated_row_by_run on stage_dated_row (run_id, key);

-- What happens to a layer at one instant: by the dates of its rows, by the operator's settings, or both.
create table dated_change (
  id text primary key,
  layer text not null,
  at timestamptz not null,
  from_register boolean not null,
  -- { ends: code[], begins: (code | null)[] }; null: the settings say nothing.
  announced jsonb,
  -- { before, after: { code, name }[] }: the rows it replaces, and what comes in their place.
  codes jsonb,
  -- What it will do, worked out beforehand, and of which content.
  preview jsonb,
  preview_of text,
  previewed_at timestamptz,
  confirmed_at timestamptz,
  confirmed_by text,
  remark text,
  -- The codes and numbers that were confirmed.
  confirmed jsonb,
  carried_out_at timestamptz,
  version bigint,
  unique (layer, at),
  check (num_nulls(confirmed_at, confirmed_by, confirmed) in (0, 3)),
  check ((carried_out_at is null) = (version is null))
);

-- The first instant at which the published copy tells a past that is known to be past.
alter table layer_state add column outdated_at timestamptz;

alter table sync_run drop constraint sync_run_kind_check;
alter table sync_run add constraint sync_run_kind_check
  check (kind in ('sync', 'revert', 'replay', 'dated'));
alter table sync_run drop constraint sync_run_trigger_check;
alter table sync_run add constraint sync_run_trigger_check
  check (trigger in ('start', 'schedule', 'command', 'operator', 'expired', 'dated'));
alter table operator_action drop constraint operator_action_action_check;
alter table operator_action add constraint operator_action_action_check
  check (action in ('sync', 'release', 'revert', 'confirm', 'unconfirm'));
