-- expand
-- Every act of an operator on accounts, keys, endpoints and layers (D159): appended, never changed, each with the
-- hash of the one before it.
create table operator_act (
  id bigint primary key,
  at timestamp with time zone not null,
  who text not null check (who <> ''),
  via text not null check (via in ('command', 'api')),
  from_address text not null,
  act text not null check (act <> ''),
  account_id text,
  target text,
  before jsonb,
  wanted jsonb not null,
  request_id text,
  hash bytea not null
);
create index operator_act_by_account on operator_act (account_id, id desc);

-- What an act's hash is of: the hash before it, and the act.
create function hash_of_act(act operator_act, previous bytea) returns bytea language sql immutable as $$
  select sha256(previous || convert_to(jsonb_build_array((act).id, extract(epoch from (act).at), (act).who,
    (act).via, (act).from_address, (act).act, (act).account_id, (act).target, (act).before, (act).wanted,
    (act).request_id)::text, 'UTF8'))
$$;

create function append_operator_act() returns trigger language plpgsql as $$
declare
  last operator_act;
begin
  -- One after the other, of all processes.
  perform pg_advisory_xact_lock(7210159);
  select * into last from operator_act order by id desc limit 1;
  new.id := coalesce(last.id, 0) + 1;
  new.at := clock_timestamp();
  new.hash := hash_of_act(new, coalesce(last.hash, ''::bytea));
  return new;
end
$$;
create trigger operator_act_appended before insert on operator_act
  for each row execute function append_operator_act();

create function keep_operator_act() returns trigger language plpgsql as $$
begin
  raise exception 'Acts of operators are kept as they are.';
end
$$;
create trigger operator_act_kept before update or delete on operator_act
  for each row execute function keep_operator_act();
create trigger operator_act_not_truncated before truncate on operator_act
  for each statement execute function keep_operator_act();
-- An owner may not either, until it gives itself the right again.
revoke update, delete, truncate on operator_act from current_user;
