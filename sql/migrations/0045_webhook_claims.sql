-- Begins attempts with statements that are each a look into one index, whatever is known of the tables. As
-- one statement it was planned anew each time, with joins of unknown sizes: 95 ms a claim on a busy machine.

-- As before: claims come one after another, so that the places in all, of endpoints that fail and of each
-- endpoint (D109) are counted over every process. Of each endpoint one delivery first, then a second one.
create or replace function claim_webhook_deliveries(
  claimed_by text, lease_ms integer, at_time timestamptz, of_endpoints text[], wanted integer,
  places integer, failing_places integer, endpoint_places integer)
returns table (
  id text, endpoint_id text, event text, body text, attempts smallint, url text, host text,
  sealed_secret bytea)
language plpgsql
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
set enable_bitmapscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
as $$
#variable_conflict use_column
declare
  candidates text[] := of_endpoints;
  have_more text[];
  -- Endpoints of what is under way, each as often as it has some.
  busy_at text[];
  busy_failing integer;
  endpoint record;
  begun record;
begin
  perform pg_advisory_xact_lock(4711020);
  select coalesce(array_agg(l.endpoint_id), '{}'), count(*) filter (where e.is_failing)
  into busy_at, busy_failing
  from webhook_delivery l join webhook_endpoint e on e.id = l.endpoint_id
  where l.lease_owner is not null;

  while cardinality(candidates) > 0 loop
    have_more := '{}';
    for endpoint in
      select e.id, e.url, e.host, e.sealed_secret, e.is_failing
      from unnest(candidates) with ordinality as o (id, place)
      join webhook_endpoint e on e.id = o.id
      where e.enabled and e.removed_at is null
      order by o.place
    loop
      if wanted <= 0 or cardinality(busy_at) >= places then return; end if;
      continue when endpoint.is_failing and busy_failing >= failing_places;
      continue when cardinality(array_positions(busy_at, endpoint.id)) >= endpoint_places;
      update webhook_delivery d set attempts = d.attempts + 1, attempted_at = at_time,
        lease_owner = claimed_by, lease_until = now() + lease_ms * interval '1 ms'
      where d.id = (
        select w.id from webhook_delivery w
        where w.endpoint_id = endpoint.id and w.status = 'pending' and w.lease_owner is null
          and w.next_attempt_at <= at_time
        order by w.next_attempt_at, w.id limit 1
        for update skip locked)
      returning d.id, d.event, d.body, d.attempts into begun;
      continue when not found;
      id := begun.id;
      endpoint_id := endpoint.id;
      event := begun.event;
      body := begun.body;
      attempts := begun.attempts;
      url := endpoint.url;
      host := endpoint.host;
      sealed_secret := endpoint.sealed_secret;
      return next;
      wanted := wanted - 1;
      busy_at := busy_at || endpoint.id;
      busy_failing := busy_failing + endpoint.is_failing::integer;
      have_more := have_more || endpoint.id;
    end loop;
    candidates := have_more;
  end loop;
end $$;

-- The outbox. An event that nobody is told of costs one look into an index. Dispatchers are told which
-- endpoint has something new and where it lies, so that nobody looks through all the others for it; of those
-- that fail they learn by looking now and then.
create or replace function emit_webhooks() returns trigger language plpgsql as $$
declare
  endpoint record;
  is_closed boolean;
begin
  for endpoint in
    select e.id, e.host, e.is_failing from webhook_endpoint e
    where e.account_id = new.account_id and e.removed_at is null and e.enabled
      and new.event = any (e.events)
    order by e.id
  loop
    if is_closed is null then
      select a.closed_at is not null into is_closed from account a where a.id = new.account_id;
    end if;
    -- Of an account that is closed, what tells of its keys has one attempt (D106).
    perform add_webhook_delivery(endpoint.id, new.id, new.event, new.data, new.created_at,
      new.created_at, case when is_closed then 1 else 5 end);
    perform trim_webhook_backlog(endpoint.id, 10000);
    if not endpoint.is_failing then
      perform pg_notify('geoopslag_webhooks', endpoint.id || ' ' || endpoint.host);
    end if;
  end loop;
  return null;
end $$;
