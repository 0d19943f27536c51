-- expand
-- Deliveries of watch-lists (D235, D236). They have no account_event: what they tell is in their body alone,
-- which leaves with them after 30 days.
alter table webhook_delivery drop constraint webhook_delivery_event_check;
alter table webhook_delivery add constraint webhook_delivery_event_check check (event in (
  'key.created', 'key.revoked', 'subscription.updated', 'usage.threshold', 'job.completed', 'job.failed',
  'watch.changed', 'ping')) not valid;

-- One delivery for each endpoint that asks for it; returns how many.
create function emit_watch_change(of_account text, event_data jsonb, happened_at timestamptz)
returns integer language plpgsql as $$
declare
  endpoint text;
  made integer := 0;
begin
  for endpoint in
    select e.id from webhook_endpoint e join account a on a.id = e.account_id
    where e.account_id = of_account and e.removed_at is null and e.enabled and a.closed_at is null
      and 'watch.changed' = any (e.events)
    order by e.id
  loop
    perform add_webhook_delivery(endpoint, null, 'watch.changed', event_data, happened_at, happened_at, 5);
    perform trim_webhook_backlog(endpoint, 10000);
    made := made + 1;
  end loop;
  if made > 0 then perform pg_notify('geoopslag_webhooks', ''); end if;
  return made;
end $$;

-- The same body under an id of its own, with attempts of its own.
create function repeat_webhook_delivery(of_id text, at_time timestamptz, allowed integer)
returns text language plpgsql as $$
declare
  new_id text := new_webhook_delivery_id();
begin
  insert into webhook_delivery (id, endpoint_id, event, event_id, body, attempts_allowed, created_at,
    next_attempt_at)
  select new_id, d.endpoint_id, d.event, d.event_id,
    overlay(d.body placing new_id from position(d.id in d.body) for char_length(d.id)), allowed, at_time, at_time
  from webhook_delivery d where d.id = of_id;
  return case when found then new_id end;
end $$;

-- Deliveries of lists that failed five times: repeated once their endpoint answers again (D236).
create table watch_missed (
  delivery_id text primary key references webhook_delivery on delete cascade,
  endpoint_id text not null,
  missed_at timestamptz not null
);
create index watch_missed_by_endpoint on watch_missed (endpoint_id, missed_at);

create function keep_missed_watch() returns trigger language plpgsql as $$
begin
  insert into watch_missed (delivery_id, endpoint_id, missed_at)
  values (new.id, new.endpoint_id, coalesce(new.attempted_at, new.created_at));
  return null;
end $$;
create trigger missed_watch_is_kept after update of status on webhook_delivery
  for each row when (new.event = 'watch.changed' and old.status = 'pending' and new.status = 'failed'
    and new.last_error is distinct from 'endpoint removed'
    and new.last_error is distinct from 'account closed')
  execute function keep_missed_watch();

-- Of an endpoint whose last attempt succeeded all that it missed; of one that fails the oldest, when nothing waits
-- for it and the wait is over. Returns how many.
create function repeat_missed_watches(at_time timestamptz, wait interval, kept interval, most integer)
returns integer language plpgsql as $$
declare
  missed text;
  made integer := 0;
begin
  if not exists (select from watch_missed) or not pg_try_advisory_xact_lock(4711021) then return 0; end if;
  for missed in
    select m.delivery_id from (
      select m.delivery_id, m.missed_at, e.id, e.is_failing,
        row_number() over (partition by e.id order by m.missed_at, m.delivery_id) as nth
      from watch_missed m join webhook_endpoint e on e.id = m.endpoint_id
      where e.enabled and e.removed_at is null
    ) m
    where not m.is_failing or (m.nth = 1 and m.missed_at <= at_time - wait and not exists (
      select from webhook_delivery w where w.endpoint_id = m.id and w.status = 'pending'))
    order by m.missed_at, m.delivery_id limit most
  loop
    delete from watch_missed where delivery_id = missed;
    perform repeat_webhook_delivery(missed, at_time, 5) from webhook_delivery d
    where d.id = missed and (substr(d.body, position('"created":' in d.body) + 11, 24))::timestamptz > at_time - kept;
    made := made + 1;
  end loop;
  return made;
end $$;
