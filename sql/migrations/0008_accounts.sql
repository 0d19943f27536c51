-- Accounts, their keys and sign-ins. No secret lies here: only SHA-256 digests of them (D67).

create table account (
  id text primary key check (id ~ '^account_[a-z2-7]{20}$'),
  name text not null check (char_length(name) between 1 and 120),
  email text not null check (char_length(email) between 3 and 254),
  tier text not null check (tier in ('free', 'pro', 'business')),
  -- The account's own ceiling of billed units a month (D61); null: the plan's usual one.
  cap_units bigint check (cap_units >= 0),
  is_operator boolean not null default false,
  created_at timestamptz not null,
  closed_at timestamptz
);
create unique index account_one_per_email on account (lower(email)) where closed_at is null;

create table api_key (
  id text primary key check (id ~ '^key_[a-z2-7]{20}$'),
  account_id text not null references account,
  hash bytea not null unique check (octet_length(hash) = 32),
  -- What a person knows the key by: its kind and first six characters.
  prefix text not null,
  name text not null check (char_length(name) between 1 and 120),
  kind text not null check (kind in ('secret', 'public')),
  environment text not null check (environment in ('live', 'test')),
  permission text not null,
  origins text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The key that took this one's place.
  replaced_by text references api_key,
  -- A public key answers to named origins alone; a secret one has none.
  check ((kind = 'public') = (cardinality(origins) between 1 and 20)),
  check (kind = 'public' or cardinality(origins) = 0)
);
create index api_key_by_account on api_key (account_id, created_at desc);

-- Apart from the key, so that being used is no change of it.
create table api_key_use (
  key_id text primary key references api_key on delete cascade,
  last_used_at timestamptz not null
);

-- A link signs in once (D69).
create table sign_in_link (
  hash bytea primary key check (octet_length(hash) = 32),
  account_id text not null references account,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table session (
  hash bytea primary key check (octet_length(hash) = 32),
  id text not null unique check (id ~ '^session_[a-z2-7]{20}$'),
  account_id text not null references account,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index session_by_account on session (account_id);

-- What happened to an account, in the words of the event catalogue: webhooks are sent from here.
create table account_event (
  id bigint generated always as identity primary key,
  account_id text not null references account,
  event text not null
    check (event in ('key.created', 'key.revoked', 'subscription.updated', 'usage.threshold')),
  data jsonb not null,
  -- What may happen only once names itself here.
  dedupe text unique,
  created_at timestamptz not null
);
create index account_event_by_account on account_event (account_id, id desc);

-- One number that every change of an account or a key advances. A process that knows keys by heart
-- looks at it, and learns them anew when it has moved. The change holds the row until it is
-- committed, so a statement that reads number and keys together reads both before or both after.
create table account_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null default 0
);
insert into account_revision default values;

create function advance_account_revision() returns trigger language plpgsql as $$
begin
  update account_revision set revision = revision + 1;
  perform pg_notify('geoopslag_accounts', '');
  return null;
end
$$;
create trigger account_advances_revision after insert or update or delete on account
  for each statement execute function advance_account_revision();
create trigger api_key_advances_revision after insert or update or delete on api_key
  for each statement execute function advance_account_revision();
