-- The way back: what each publication took out of the mirror and put in, so that an operator can
-- return to the version before; and the hold that keeps the next night from undoing that.

-- One step back, newest first: undoing the step of a layer's highest version gives the content
-- before it. A publication adds a step, a revert takes one away, and old steps are dropped.
create table layer_history (
  layer text not null,
  version bigint not null,
  -- When the content before this step was last proved equal to the source.
  synced_at timestamptz not null,
  published_at timestamptz not null,
  row_count integer not null,
  primary key (layer, version)
);

-- The rows of a step. With a shape: the row as it was, to be put back. Without: a key that was new,
-- to be taken out. One shape for features and areas, the stage's own.
create table feature_history (
  layer text not null,
  version bigint not null,
  key text not null,
  object_id text,
  standing text,
  adopted boolean,
  content_hash bytea,
  attributes jsonb,
  geom geometry(Geometry, 25832),
  primary key (layer, version, key),
  foreign key (layer, version) references layer_history on delete cascade,
  check (num_nulls(object_id, standing, adopted, content_hash, attributes, geom) in (0, 6))
);

-- A layer that a person put back is not synced again until a person asks for it.
alter table layer_state add column held_since timestamptz, add column held_by text,
  add check ((held_since is null) = (held_by is null));

-- What kind of run, and who asked for it where that is known.
alter table sync_run
  add column kind text not null default 'sync' check (kind in ('sync', 'revert', 'replay')),
  add column asked_by text;
