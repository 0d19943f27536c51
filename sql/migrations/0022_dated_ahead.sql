-- What is worked out of a dated change before its instant, so that at the instant it is put in place and
-- no more. Each stands under the content that it follows from: what follows from other content is not
-- found, so nothing of this can be out of date.

-- The pieces of rows that are to come.
create table dated_piece (
  layer text not null,
  key text not null,
  content_hash bytea not null,
  geom geometry(Polygon, 25832) not null
);
create index dated_piece_by_row on dated_piece (layer, key, content_hash);

-- The region (D41) of every area when the regions are these; null: it lies in none.
create table dated_region (
  -- Digest of the regions: their codes and contents.
  regions text not null,
  theme text not null,
  key text not null,
  content_hash bytea not null,
  code text,
  primary key (regions, theme, key)
);

-- What the canaries answered to a stage over a copy, by both their contents.
create table dated_canary (
  of text primary key,
  asked integer not null,
  changed integer not null
);

-- The instant that was prepared last; one row, or none.
create table dated_prepared (
  -- What all of it was worked out of: another one makes it out of date.
  of text primary key,
  at timestamptz not null,
  regions text not null
);

-- The next version of each layer whose content will be another at that instant.
create table dated_version (
  layer text primary key,
  version bigint not null,
  -- Digest of the rows and their regions.
  content text not null
);
