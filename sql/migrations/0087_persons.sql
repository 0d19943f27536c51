-- expand
-- Persons of an account (D216): an address signs in, roles say what its person may do. An account's own address
-- is its first person, who has every role.
create table account_person (
  id text primary key check (id ~ '^person_[a-z2-7]{20}$'),
  account_id text not null references account,
  email text not null check (char_length(email) between 3 and 254),
  roles text[] not null
    check (cardinality(roles) > 0 and roles <@ array['reads', 'uses', 'pays', 'administers']),
  created_at timestamptz not null,
  joined_at timestamptz,
  removed_at timestamptz
);
create unique index account_person_one_per_email on account_person (account_id, lower(email))
  where removed_at is null;
create index account_person_by_email on account_person (lower(email)) where removed_at is null;

create function add_account_owner() returns trigger language plpgsql as $$
begin
  insert into account_person (id, account_id, email, roles, created_at)
  values ('person_' || substr(new.id, 9), new.id, new.email, '{administers}', new.created_at);
  return null;
end
$$;
create trigger account_has_owner after insert on account
  for each row execute function add_account_owner();

-- null: of a version before persons, the account's first person's.
alter table sign_in_link add column person_id text;
-- Of the browser that asked for the link, the digest of its cookie; null: any browser.
alter table sign_in_link add column browser bytea;
alter table session add column person_id text;

-- Letters asked for in a window of time, by the digest of an address or a network.
create table mail_allowance (
  subject bytea primary key check (octet_length(subject) = 32),
  began_at timestamptz not null,
  used integer not null
);

create table account_request (
  id text primary key check (id ~ '^request_[a-z2-7]{20}$'),
  name text not null check (char_length(name) between 1 and 120),
  email text not null check (char_length(email) between 3 and 254),
  purpose text not null check (char_length(purpose) <= 500),
  asked_at timestamptz not null,
  decided_at timestamptz,
  account_id text references account
);
create unique index account_request_one_open on account_request (lower(email)) where decided_at is null;

-- Units of a month after which those who pay get a letter, once a month.
create table account_alarm (
  account_id text primary key references account,
  units bigint not null check (units > 0),
  told_month text
);
