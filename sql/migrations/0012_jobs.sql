-- Jobs (D70 to D76): lists of rows that are answered in the background. A row of these tables is a
-- chunk, never a row of a job: a job of a million rows is some hundred rows here.

create table job (
  id text primary key check (id ~ '^job_[a-z2-7]{20}$'),
  account_id text not null references account,
  -- The key it was made with: its use is on that key's bill.
  key_id text not null references api_key,
  environment text not null check (environment in ('live', 'test')),
  kind text not null check (kind in ('datavask', 'reverse', 'bbr', 'dagi', 'miljoe')),
  status text not null check (
    status in ('draft', 'queued', 'running', 'paused', 'completed', 'failed', 'cancelled')
  ),
  label text check (char_length(label) between 1 and 120),
  -- Role to the caller's column: as named at first, from the start on as found (D72).
  columns jsonb not null default '{}',
  srid integer not null check (srid in (4326, 25832)),
  -- In the order of first sight; only grows.
  input_columns text[] not null default '{}',
  error text,
  total_rows integer not null default 0 check (total_rows >= 0),
  chunks integer not null default 0 check (chunks >= 0),
  succeeded integer not null default 0 check (succeeded >= 0),
  failed integer not null default 0 check (failed >= 0),
  billed_units bigint not null default 0 check (billed_units >= 0),
  -- Bytes of its chunks: the rows as they came, and what was found.
  input_bytes bigint not null default 0,
  output_bytes bigint not null default 0,
  -- The data generation that answers it (D19); null until its first chunk.
  generation bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  -- Its chunks are gone (D74); the record stays.
  rows_deleted_at timestamptz,
  check (succeeded + failed <= total_rows)
);
create index job_by_account on job (account_id, created_at desc, id desc);
create index job_open on job (account_id) where completed_at is null;
create index job_ended on job (completed_at)
  where completed_at is not null and rows_deleted_at is null;

create table job_chunk (
  job_id text not null references job on delete cascade,
  -- From 0, without gaps, in the order the rows came.
  chunk integer not null check (chunk >= 0),
  -- Of its first row in the job, from 0.
  first_row integer not null,
  rows integer not null check (rows > 0),
  -- src/jobs/chunk-rows.ts.
  input bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'leased', 'done')),
  lease_owner text,
  lease_until timestamptz,
  attempts smallint not null default 0,
  output bytea,
  errors bytea,
  succeeded integer,
  failed integer,
  -- Bytes of its part of each file (D73).
  lengths jsonb,
  primary key (job_id, chunk),
  check ((state = 'leased') = (lease_owner is not null and lease_until is not null)),
  check ((state = 'done') = (succeeded is not null and failed is not null)),
  check (state <> 'done' or succeeded + failed = rows)
);
-- Text and bytes are read as they lie: compressing them costs more than it saves.
alter table job_chunk
  alter column input set storage external,
  alter column output set storage external,
  alter column errors set storage external;
create index job_chunk_waiting on job_chunk (job_id, chunk) where state = 'waiting';
create index job_chunk_leased on job_chunk (lease_until) where state = 'leased';

-- What was answered to an Idempotency-Key (D76), for a day. Written with what was asked, in one
-- transaction: there is never one without the other.
create table job_request (
  account_id text not null,
  -- 'create', or the id of the job that rows were sent to.
  operation text not null,
  key text not null check (char_length(key) between 1 and 255),
  -- SHA-256 of the kind of body and its bytes.
  body_hash bytea not null check (octet_length(body_hash) = 32),
  status smallint not null,
  -- The job as it was answered then.
  response jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, operation, key)
);
create index job_request_by_age on job_request (created_at);
