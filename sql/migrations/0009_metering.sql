-- Metering: what was used, by whom, and how much of a month is promised to which process.
-- No reference to an account: what was used outlives whoever used it.

-- A process that counts. Bursts are divided between those whose lease runs.
create table usage_instance (
  id text primary key,
  -- The directory its journals lie in, and the boot of the machine it runs on.
  place text not null,
  host text not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  beat bigint not null default 0,
  -- It uses one n-th of every burst limit, or less; 0: nothing yet.
  applied_instances integer not null default 0,
  -- Its lease ended: it has no share. Its grants count on.
  ended_at timestamptz,
  -- Its journals are folded and its grants gone: nothing of it is outstanding.
  settled boolean not null default false
);

-- Units used by an account in a calendar month of Europe/Copenhagen (D63), as far as folded.
create table usage_month (
  account_id text not null,
  environment text not null check (environment in ('live', 'test')),
  -- Its first day.
  month date not null,
  used bigint not null check (used >= 0),
  primary key (account_id, environment, month)
);

-- Units of a month set aside for a process: `granted` in all, of which `spent` are in usage_month.
-- Used, and granted and not spent of all processes, together never pass the account's ceiling.
create table usage_grant (
  account_id text not null,
  environment text not null check (environment in ('live', 'test')),
  month date not null,
  instance_id text not null,
  granted bigint not null,
  spent bigint not null default 0,
  -- Only its process writes `granted`, whole; a late write of an earlier revision does nothing.
  revision bigint not null,
  primary key (account_id, environment, month, instance_id)
);
create index usage_grant_by_instance on usage_grant (instance_id);

create table usage_day (
  account_id text not null,
  -- In Europe/Copenhagen.
  day date not null,
  key_id text not null,
  operation text not null,
  environment text not null check (environment in ('live', 'test')),
  units bigint not null,
  requests bigint not null,
  primary key (account_id, day, key_id, operation, environment)
);

-- A file of lines in some process's data directory, and how far it is in the tables here.
create table usage_journal (
  journal text primary key,
  instance_id text not null,
  -- Bytes; moved in the transaction that takes the lines before it.
  folded bigint not null default 0,
  lines bigint not null default 0,
  -- Lines no checksum vouched for, although others follow them.
  unreadable bigint not null default 0
);

-- One answered request: the bill can be recomputed from these.
create table usage_line (
  journal text not null,
  seq bigint not null,
  at timestamptz not null,
  -- Of `at`, in Europe/Copenhagen.
  day date not null,
  account_id text not null,
  key_id text not null,
  operation text not null,
  environment text not null check (environment in ('live', 'test')),
  units integer not null check (units > 0),
  -- The data generation it was answered from (D19).
  generation bigint,
  request_id text not null,
  primary key (journal, seq)
);
create index usage_line_by_account on usage_line (account_id, at, journal, seq);
