-- expand
-- Watch-lists (D234): objects of an account, which changes are compared with after each publication.
create table watch_list (
  id text primary key check (id ~ '^watch_[a-z2-7]{20}$'),
  account_id text not null references account,
  name text not null check (char_length(name) between 1 and 120),
  kind text not null check (kind in ('adresse', 'bfe', 'jordstykke', 'polygon')),
  objects integer not null check (objects > 0),
  -- 16 bytes an object, ascending; null: polygons.
  keys bytea check (octet_length(keys) = 16 * objects),
  -- As they are answered, in degrees; null: keys.
  polygons jsonb check ((polygons is null) = (keys is not null)),
  paused boolean not null default false,
  -- Rises with each replacement of its objects and each pause.
  revision integer not null default 1,
  -- The last transaction of the change log that it was compared with.
  compared bigint not null,
  -- The last that changed any of its objects, and the number of its events.
  found_transaction bigint,
  found_events integer,
  found_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
alter table watch_list alter column keys set storage external;
create index watch_list_by_account on watch_list (account_id, created_at, id);

-- Polygons of lists in small pieces, so that a whole country is not unpacked for one point.
create table watch_piece (
  list_id text not null references watch_list on delete cascade,
  number integer not null,
  geom geometry(Polygon, 25832) not null
);
create index watch_piece_list on watch_piece (list_id);
create index watch_piece_geom on watch_piece using gist (geom);

-- Which process compares, and until when it is believed to; the token rises with each new holder.
create table watch_claim (
  singleton boolean primary key default true check (singleton),
  owner text not null,
  token bigint not null,
  until timestamptz not null
);
