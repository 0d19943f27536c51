-- Webhooks: where an account's events are sent, and every delivery of one. Cause and deliveries are one
-- transaction: a trigger of account_event writes them, whoever wrote the event.

create table webhook_endpoint (
  id text primary key check (id ~ '^webhook_[a-z2-7]{20}$'),
  account_id text not null references account,
  url text not null check (char_length(url) between 1 and 2048),
  -- The url's own, in lower case: deliveries to one host are limited together.
  host text not null,
  events text[] not null check (cardinality(events) >= 1),
  enabled boolean not null default true,
  description text check (char_length(description) <= 200),
  -- `whsec_` and four characters (D103). The secret itself is sealed (D102), and gone with the endpoint.
  secret_prefix text not null,
  sealed_secret bytea,
  -- Its last attempt failed: such endpoints share half of the places (D109).
  is_failing boolean not null default false,
  created_at timestamptz not null,
  -- Removed, it is kept for the log of its deliveries alone.
  removed_at timestamptz,
  check ((sealed_secret is null) = (removed_at is not null))
);
create index webhook_endpoint_by_account on webhook_endpoint (account_id, created_at)
  where removed_at is null;
create index webhook_endpoint_removed on webhook_endpoint (removed_at) where removed_at is not null;

create table webhook_delivery (
  id text primary key check (id ~ '^webhookDelivery_[a-z2-7]{20}$'),
  endpoint_id text not null references webhook_endpoint,
  event text not null
    check (event in ('key.created', 'key.revoked', 'subscription.updated', 'usage.threshold', 'ping')),
  -- null: a ping, which tells of nothing.
  event_id bigint references account_event,
  -- What every attempt sends, byte for byte.
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  -- Attempts begun: each is on record before its request leaves (D100).
  attempts smallint not null default 0,
  attempts_allowed smallint not null default 5 check (attempts_allowed between 1 and 5),
  last_status_code smallint,
  last_error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  -- When the attempt under way began, by the clock of who makes it.
  attempted_at timestamptz,
  -- Who makes an attempt now, and until when he is believed to: by the database's clock.
  lease_owner text,
  lease_until timestamptz,
  check (attempts between 0 and attempts_allowed),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((lease_owner is null) = (lease_until is null)),
  check (lease_owner is null or status = 'pending')
);
create index webhook_delivery_log on webhook_delivery (endpoint_id, created_at desc, id desc);
create index webhook_delivery_due on webhook_delivery (next_attempt_at, endpoint_id)
  where status = 'pending' and lease_owner is null;
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_attempt_at, id)
  where status = 'pending' and lease_owner is null;
create index webhook_delivery_leased on webhook_delivery (endpoint_id) where lease_owner is not null;
create index webhook_delivery_ended on webhook_delivery (created_at) where status <> 'pending';

-- 100 random bits in lower-case base32, as src/account/ids.ts makes them. Of the bytes of two random
-- UUIDs, those that hold their version and variant are left out; 32 divides 256.
create function new_webhook_delivery_id() returns text language sql volatile as $$
  select 'webhookDelivery_' || string_agg(
    substr('abcdefghijklmnopqrstuvwxyz234567', (get_byte(b.bytes, i) & 31) + 1, 1), '' order by i)
  from (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as bytes) b,
    unnest(array[0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21]) as i;
$$;

-- A delivery to be sent at once, with the body of the document: id, event, created, data.
create function add_webhook_delivery(
  of_endpoint text, of_event_id bigint, event_name text, event_data jsonb, happened_at timestamptz,
  made_at timestamptz, allowed integer)
returns text language plpgsql as $$
declare
  new_id text := new_webhook_delivery_id();
begin
  insert into webhook_delivery (id, endpoint_id, event, event_id, body, attempts_allowed, created_at,
    next_attempt_at)
  values (new_id, of_endpoint, event_name, of_event_id,
    format('{"id":%s,"event":%s,"created":%s,"data":%s}', to_json(new_id), to_json(event_name),
      to_json(to_char(happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), event_data),
    allowed, made_at, made_at);
  return new_id;
end $$;

-- D109: of more waiting deliveries than these the oldest fail. What is under way does not wait. Only what
-- waits is looked through, never the log.
create function trim_webhook_backlog(of_endpoint text, most integer) returns void
language plpgsql
set plan_cache_mode = 'force_generic_plan'
-- The table may have been empty when it was planned.
set enable_seqscan = 'off'
as $$
declare
  too_many integer;
  oldest text;
begin
  select count(*) - most into too_many from (
    select from webhook_delivery w
    where w.endpoint_id = of_endpoint and w.status = 'pending' and w.lease_owner is null
    limit most + 100) w;
  if too_many <= 0 then return; end if;
  for oldest in
    select w.id from webhook_delivery w
    where w.endpoint_id = of_endpoint and w.status = 'pending' and w.lease_owner is null
    order by w.created_at, w.id limit too_many
  loop
    update webhook_delivery set status = 'failed', last_error = 'backlog', next_attempt_at = null
    where id = oldest and status = 'pending' and lease_owner is null;
  end loop;
end $$;

-- The outbox. An event that nobody is told of costs one look into an index.
create function emit_webhooks() returns trigger language plpgsql as $$
declare
  endpoint record;
  is_closed boolean;
begin
  for endpoint in
    select e.id from webhook_endpoint e
    where e.account_id = new.account_id and e.removed_at is null and e.enabled
      and new.event = any (e.events)
    order by e.id
  loop
    if is_closed is null then
      select a.closed_at is not null into is_closed from account a where a.id = new.account_id;
      perform pg_notify('geoopslag_webhooks', '');
    end if;
    -- Of an account that is closed, what tells of its keys has one attempt (D106).
    perform add_webhook_delivery(endpoint.id, new.id, new.event, new.data, new.created_at,
      new.created_at, case when is_closed then 1 else 5 end);
    perform trim_webhook_backlog(endpoint.id, 10000);
  end loop;
  return null;
end $$;
create trigger account_event_emits_webhooks after insert on account_event
  for each row execute function emit_webhooks();

-- Ends what waits for these endpoints; an attempt that is under way is the last one.
create function end_webhook_deliveries(of_endpoints text[], reason text) returns void
language plpgsql as $$
begin
  update webhook_delivery set status = 'failed', last_error = reason, next_attempt_at = null
  where endpoint_id = any (of_endpoints) and status = 'pending' and lease_owner is null;
  update webhook_delivery set attempts_allowed = attempts
  where endpoint_id = any (of_endpoints) and status = 'pending' and lease_owner is not null;
end $$;

-- D106: closing an account ends its deliveries. Events of the closing itself are written after this.
create function end_webhooks_of_account() returns trigger language plpgsql as $$
begin
  perform end_webhook_deliveries(
    array(select e.id from webhook_endpoint e where e.account_id = new.id), 'account closed');
  return null;
end $$;
create trigger account_closing_ends_webhooks after update of closed_at on account
  for each row when (old.closed_at is null and new.closed_at is not null)
  execute function end_webhooks_of_account();

-- Begins attempts: puts them on record and leases them, for endpoints in the order given, and gives back
-- what is to be sent. Claims come one after another, so that the places in all, of endpoints that fail
-- and of each endpoint (D109) are counted over every process.
create function claim_webhook_deliveries(
  claimed_by text, lease_ms integer, at_time timestamptz, of_endpoints text[], wanted integer,
  places integer, failing_places integer, endpoint_places integer)
returns table (
  id text, endpoint_id text, event text, body text, attempts smallint, url text, host text,
  sealed_secret bytea)
language plpgsql
-- As due_webhook_endpoints below.
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
set enable_sort = 'off'
set enable_incremental_sort = 'off'
as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(4711020);
  return query
  with leased as materialized (
    select l.endpoint_id, count(*)::integer as n from webhook_delivery l
    where l.lease_owner is not null group by 1
  ), busy as materialized (
    select coalesce(sum(l.n), 0)::integer as total,
      coalesce(sum(l.n) filter (where e.is_failing), 0)::integer as failing
    from leased l join webhook_endpoint e on e.id = l.endpoint_id
  ), waiting as (
    select w.delivery_id, w.nth, o.place, e.is_failing,
      row_number() over (partition by e.is_failing order by w.nth, o.place) as lane_place
    from unnest(of_endpoints) with ordinality as o (endpoint_id, place)
    join webhook_endpoint e on e.id = o.endpoint_id and e.enabled and e.removed_at is null
    left join leased l on l.endpoint_id = o.endpoint_id
    cross join lateral (
      select f.id as delivery_id, row_number() over (order by f.next_attempt_at, f.id) as nth
      from (
        select d.id, d.next_attempt_at from webhook_delivery d
        where d.endpoint_id = o.endpoint_id and d.status = 'pending' and d.lease_owner is null
          and d.next_attempt_at <= at_time
        order by d.next_attempt_at, d.id limit endpoint_places
      ) f
    ) w
    where w.nth <= endpoint_places - coalesce(l.n, 0)
  ), chosen as (
    select w.delivery_id from waiting w, busy b
    where not w.is_failing or w.lane_place <= failing_places - b.failing
    order by w.nth, w.place
    limit (select least(wanted, greatest(0, places - b.total)) from busy b)
  ), held as (
    select d.id from webhook_delivery d
    where d.id in (select c.delivery_id from chosen c) and d.status = 'pending'
      and d.lease_owner is null
    for update skip locked
  ), begun as (
    update webhook_delivery d set attempts = d.attempts + 1, attempted_at = at_time,
      lease_owner = claimed_by, lease_until = now() + lease_ms * interval '1 ms'
    from held h where d.id = h.id
    returning d.id, d.endpoint_id, d.event, d.body, d.attempts
  )
  select b.id, b.endpoint_id, b.event, b.body, b.attempts, e.url, e.host, e.sealed_secret
  from begun b join webhook_endpoint e on e.id = b.endpoint_id;
end $$;

-- Endpoints with something due, the longest waiting first; those that fail come last. Few due deliveries
-- are looked through; where there are more, one entry of each endpoint that has any waiting, so that a
-- long queue hides nobody.
create function due_webhook_endpoints(at_time timestamptz, most_looked integer)
returns table (endpoint_id text, host text)
language plpgsql stable
set plan_cache_mode = 'force_generic_plan'
-- In the order of the indexes, however little is known of the tables: a queue is empty one moment and full
-- the next. A plan that sorted took 1.7 s for 201 endpoints with 50 waiting each; this one takes 1.3 ms.
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
set enable_sort = 'off'
set enable_incremental_sort = 'off'
as $$
#variable_conflict use_column
declare
  looked integer;
begin
  select count(*) into looked from (
    select from webhook_delivery d
    where d.status = 'pending' and d.lease_owner is null and d.next_attempt_at <= at_time
    limit most_looked) d;
  if looked < most_looked then
    return query
    select e.id, e.host from (
      select d.endpoint_id, min(d.next_attempt_at) as first_at from webhook_delivery d
      where d.status = 'pending' and d.lease_owner is null and d.next_attempt_at <= at_time
      group by 1
    ) w join webhook_endpoint e on e.id = w.endpoint_id
    where e.enabled and e.removed_at is null
    order by e.is_failing, w.first_at, e.id;
  else
    return query
    with recursive waiting as (
      (select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where d.status = 'pending' and d.lease_owner is null
        order by d.endpoint_id, d.next_attempt_at limit 1)
      union all
      select n.endpoint_id, n.next_attempt_at from waiting w cross join lateral (
        select d.endpoint_id, d.next_attempt_at from webhook_delivery d
        where d.status = 'pending' and d.lease_owner is null and d.endpoint_id > w.endpoint_id
        order by d.endpoint_id, d.next_attempt_at limit 1) n
    )
    select e.id, e.host
    from waiting w join webhook_endpoint e on e.id = w.endpoint_id
    where w.next_attempt_at <= at_time and e.enabled and e.removed_at is null
    order by e.is_failing, w.next_attempt_at, e.id;
  end if;
end $$;
