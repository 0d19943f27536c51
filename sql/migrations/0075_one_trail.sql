-- expand
-- One trail of acts (D199): rows of `operator_action`, which the versions before still write, are in it too, what an
-- act holds of an erased customer can be taken out, and acts past their retention leave from the oldest on.
alter table operator_act add column redacted_at timestamp with time zone;

-- The last act that left: the chain begins after it.
create table operator_act_start (
  only_row boolean primary key default true check (only_row),
  id bigint not null,
  hash bytea not null
);

-- What an act's hash is of, after the hash before it: a text, so that an export can be verified anywhere.
create function text_of_act(act operator_act) returns text language sql immutable as $$
  select jsonb_build_array((act).id, extract(epoch from (act).at), (act).who, (act).via, (act).from_address,
    (act).act, (act).account_id, (act).target, (act).before, (act).wanted, (act).request_id)::text
$$;

create or replace function hash_of_act(act operator_act, previous bytea) returns bytea language sql immutable as $$
  select sha256(previous || convert_to(text_of_act(act), 'UTF8'))
$$;

-- Only what `operator_action` has keeps its time.
create or replace function append_operator_act() returns trigger language plpgsql as $$
declare
  last record;
begin
  -- One after the other, of all processes.
  perform pg_advisory_xact_lock(7210159);
  select a.id, a.hash into last from operator_act a order by a.id desc limit 1;
  if not found then
    select s.id, s.hash into last from operator_act_start s;
  end if;
  new.id := coalesce(last.id, 0) + 1;
  new.at := coalesce((select a.at from operator_action a where a.at = new.at and a.request_id = new.request_id limit 1),
    clock_timestamp());
  new.redacted_at := null;
  new.hash := hash_of_act(new, coalesce(last.hash, ''::bytea));
  return new;
end
$$;

create or replace function keep_operator_act() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.redacted_at is null and new.redacted_at is not null
    and new.before is null and new.wanted = '{}' and new.who in (old.who, 'slettet')
    and to_jsonb(new) - '{who,before,wanted,redacted_at}'::text[]
      = to_jsonb(old) - '{who,before,wanted,redacted_at}'::text[] then
    return new;
  end if;
  if tg_op = 'DELETE' and old.at < clock_timestamp() - interval '5 years'
    and old.id = (select min(a.id) from operator_act a) then
    insert into operator_act_start (id, hash) values (old.id, old.hash)
      on conflict (only_row) do update set id = excluded.id, hash = excluded.hash;
    return old;
  end if;
  raise exception 'Acts of operators are kept as they are.';
end
$$;
grant update (who, before, wanted, redacted_at), delete on operator_act to current_user;

create function carry_operator_action() returns trigger language plpgsql as $$
begin
  insert into operator_act (at, who, via, from_address, act, target, wanted, request_id)
  select new.at, new.who, 'api', 'unknown', new.action, new.layer, jsonb_build_object('guards', new.guards), new.request_id
  where not exists (select from operator_act a where a.request_id = new.request_id and a.act = new.action);
  return null;
end
$$;
create trigger operator_action_carried after insert on operator_action
  for each row execute function carry_operator_action();
