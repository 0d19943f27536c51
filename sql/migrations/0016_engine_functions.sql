-- What the engine of jobs and the folding of journals do over and over, as functions: one round trip
-- each, planned once a connection. No lock is held while a process is waited for. Locks are taken in
-- one order everywhere: the job, the journal, months, grants, days, the chunk.

-- An event for each of 80 % and 100 % of its tier's units a month that an account has reached, once.
create function note_thresholds(
  of_account text, of_month date, month_used bigint, reached_at timestamptz,
  tiers text[], allowances bigint[])
returns void
language plpgsql
set plan_cache_mode = 'force_generic_plan'
as $$
#variable_conflict use_column
begin
  insert into account_event (account_id, event, data, dedupe, created_at)
  select of_account, 'usage.threshold', jsonb_build_object('tier', w.tier, 'threshold_pct', w.pct,
      'used', month_used, 'allowance', w.allowance, 'month', w.month),
    w.dedupe, reached_at
  from (
    select a.tier, t.pct, p.allowance, m.month,
      concat_ws(':', 'usage.threshold', of_account, m.month, t.pct) as dedupe
    from account a
    join unnest(tiers, allowances) as p (tier, allowance) on p.tier = a.tier
    cross join (values (80), (100)) as t (pct)
    cross join (select to_char(of_month, 'YYYY-MM') as month) m
    where a.id = of_account and p.allowance > 0 and month_used * 100 >= p.allowance * t.pct
  ) w
  where not exists (select from account_event e where e.dedupe = w.dedupe)
  on conflict (dedupe) do nothing;
end $$;

-- Takes lines of a journal into every table that counts, all of them or none, and only if the journal
-- stands where they begin; else false. Each part waits for the one before. A threshold is told once, by
-- whichever fold reaches it.
create function fold_usage(
  of_journal text, begins bigint, ends bigint, line_count integer, unreadable_count integer,
  texts text, folded_at timestamptz, tiers text[], allowances bigint[])
returns boolean
language plpgsql
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
as $$
#variable_conflict use_column
declare
  folder text;
  m record;
begin
  update usage_journal
  set folded = ends, lines = lines + line_count, unreadable = unreadable + unreadable_count
  where journal = of_journal and folded = begins
  returning instance_id into folder;
  if not found then return false; end if;

  for m in
    with line as materialized (
      select f[1]::bigint as seq, to_timestamp(f[2]::bigint / 1000.0) as at, f[3]::date as day,
        date_trunc('month', f[3]::timestamp)::date as month, f[4] as key_id, f[5] as account_id,
        f[6] as operation, f[7] as environment, f[8]::integer as units,
        nullif(f[9], '-')::bigint as generation, f[10] as request_id
      from (
        select string_to_array(text, E'\t') as f
        from unnest(string_to_array(texts, E'\n')) as text
        where text <> ''
        -- Else a line would be taken apart again for each of its fields.
        offset 0
      ) fields
    ), month as (
      insert into usage_month as m (account_id, environment, month, used)
      select account_id, environment, month, sum(units) from line group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, environment, month) do update set used = m.used + excluded.used
      returning account_id, environment, month, used
    ), spent as (
      update usage_grant g set spent = g.spent + l.units
      from (
        select account_id, environment, month, sum(units) as units from line
        where (select count(*) from month) > 0
        group by 1, 2, 3
      ) l
      where g.instance_id = folder and g.account_id = l.account_id
        and g.environment = l.environment and g.month = l.month
      returning 1
    ), day as (
      insert into usage_day as d (account_id, day, key_id, operation, environment, units, requests)
      select account_id, day, key_id, operation, environment, sum(units), count(*) from line
      where (select count(*) from spent) >= 0
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (account_id, day, key_id, operation, environment) do update
        set units = d.units + excluded.units, requests = d.requests + excluded.requests
      returning 1
    ), kept as (
      insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment,
        units, generation, request_id)
      select of_journal, seq, at, day, account_id, key_id, operation, environment, units,
        generation, request_id
      from line where (select count(*) from day) >= 0
    )
    select account_id, month, used from month where environment = 'live'
  loop
    perform note_thresholds(m.account_id, m.month, m.used, folded_at, tiers, allowances);
  end loop;
  return true;
end $$;

-- Leases a job's next chunk: the first that nobody works on, or whose worker fell silent. No row: it has
-- none, or its account is not what the caller judged its ceiling by. `units` 0 and no chunk: the month
-- is used up, but for what `others` hold and may give back.
create function claim_job_chunk(
  of_job text, claimed_by text, lease_ms integer, of_month date, month_ceiling bigint,
  judged_tier text, judged_cap bigint, newest_generation bigint)
returns table (
  key_id text, columns jsonb, srid integer, input_columns text[], generation bigint,
  chunk integer, first_row integer, row_count integer, input bytea, lengths jsonb,
  attempts smallint, units bigint, others bigint)
language plpgsql
set plan_cache_mode = 'force_generic_plan'
-- The tables may have been empty when it was planned.
set enable_seqscan = 'off'
as $$
#variable_conflict use_column
declare
  j record;
  c record;
  holder text;
  month_used bigint;
  held bigint;
  share bigint;
begin
  -- Losing a claim loses no answer: it need not be on disk.
  perform set_config('synchronous_commit', 'off', true);
  select o.account_id, o.environment, o.kind, o.key_id, o.columns, o.srid, o.input_columns,
    o.generation
  into j
  from job o join account a on a.id = o.account_id and a.closed_at is null
  where o.id = of_job and o.status in ('queued', 'running')
    and a.tier = judged_tier and a.cap_units is not distinct from judged_cap
  for update of o;
  if not found then return; end if;

  -- Two questions, each with an index of its own: as one it would pass by every chunk that is done.
  select w.chunk, w.first_row, w.rows, w.input, w.lengths, w.attempts into c
  from job_chunk w
  where w.job_id = of_job and w.chunk = least(
    (select n.chunk from job_chunk n where n.job_id = of_job and n.state = 'waiting'
      order by n.chunk limit 1),
    (select min(n.chunk) from job_chunk n where n.job_id = of_job and n.state = 'leased'
      and n.lease_until < now()));
  if not found then return; end if;

  -- The month's row is held from here, so that what is read of it and its grants was true together.
  insert into usage_month as m (account_id, environment, month, used)
  values (j.account_id, j.environment, of_month, 0)
  on conflict (account_id, environment, month) do update set used = m.used
  returning used into month_used;
  holder := of_job || '-' || c.chunk;
  select coalesce(sum(g.granted - g.spent), 0) into held from usage_grant g
  where g.account_id = j.account_id and g.environment = j.environment and g.month = of_month
    and g.instance_id <> holder;
  share := greatest(0, least(
    c.rows - coalesce((c.lengths ->> 'rows')::integer, 0), month_ceiling - month_used - held));
  -- Rows of a register that answers nobody yet cost nothing.
  if share = 0 and j.kind <> 'bbr' then
    return query select j.key_id, j.columns, j.srid, j.input_columns, j.generation,
      null::integer, null::integer, null::integer, null::bytea, null::jsonb, null::smallint,
      share, held;
    return;
  end if;
  if share > 0 then
    insert into usage_grant as g (account_id, environment, month, instance_id, granted, revision)
    values (j.account_id, j.environment, of_month, holder, share, 1)
    on conflict (account_id, environment, month, instance_id) do update
      set granted = excluded.granted, spent = 0, revision = g.revision + 1;
  end if;
  update job_chunk set state = 'leased', lease_owner = claimed_by, attempts = attempts + 1,
    lease_until = now() + lease_ms * interval '1 ms'
  where job_id = of_job and chunk = c.chunk;
  update job set status = 'running', started_at = coalesce(started_at, now()), updated_at = now(),
    generation = coalesce(generation, newest_generation)
  where id = of_job;
  return query select j.key_id, j.columns, j.srid, j.input_columns,
    coalesce(j.generation, newest_generation), c.chunk, c.first_row, c.rows, c.input, c.lengths,
    c.attempts, share, held;
end $$;

-- What was set aside for a chunk goes back, and it waits again: not when it is somebody else's now.
create function drop_job_chunk(of_job text, of_chunk integer, claimed_by text, more_attempts integer)
returns void
language plpgsql
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
as $$
#variable_conflict use_column
begin
  perform from job where id = of_job for update;
  update job_chunk set state = 'waiting', lease_owner = null, lease_until = null,
    attempts = attempts + more_attempts
  where job_id = of_job and chunk = of_chunk and state = 'leased' and lease_owner = claimed_by;
  if found then
    delete from usage_grant where instance_id = of_job || '-' || of_chunk;
  end if;
end $$;

-- Puts what was found of a chunk on file, with the job's counters and the bill. `lost`: the chunk is
-- somebody else's, or on file already; `dropped`: the job has ended meanwhile.
create function end_job_chunk(
  of_job text, of_chunk integer, claimed_by text, is_done boolean, part_rows integer,
  part_succeeded integer, part_failed integer, more_output bytea, more_errors bytea,
  whole_lengths jsonb, has_before boolean, answered_generation bigint,
  -- The bill: its line is the job's own journal, by the row it begins with.
  of_account text, of_key text, of_environment text, of_operation text, of_month date,
  on_day date, answered_at timestamptz, line_seq bigint, tiers text[], allowances bigint[])
returns text
language plpgsql
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
as $$
#variable_conflict use_column
declare
  job_status text;
  month_used bigint;
begin
  select status into job_status from job where id = of_job for update;
  -- Paused or not: what was begun is ended (D70, at chunk borders).
  if job_status is null or job_status not in ('running', 'paused') then
    perform drop_job_chunk(of_job, of_chunk, claimed_by, 0);
    return 'dropped';
  end if;
  if part_succeeded > 0 then
    insert into usage_month as m (account_id, environment, month, used)
    values (of_account, of_environment, of_month, part_succeeded)
    on conflict (account_id, environment, month) do update set used = m.used + excluded.used
    returning used into month_used;
  end if;
  -- Whoever claimed it since has set aside anew under the same name: then nothing here is kept.
  delete from usage_grant where instance_id = of_job || '-' || of_chunk;
  if part_succeeded > 0 then
    insert into usage_day as d (account_id, day, key_id, operation, environment, units, requests)
    values (of_account, on_day, of_key, of_operation, of_environment, part_succeeded, 1)
    on conflict (account_id, day, key_id, operation, environment) do update
      set units = d.units + excluded.units, requests = d.requests + excluded.requests;
    insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment,
      units, generation, request_id)
    values (of_job, line_seq, answered_at, on_day, of_account, of_key, of_operation,
      of_environment, part_succeeded, answered_generation, of_job || '-' || of_chunk);
    if of_environment = 'live' then
      perform note_thresholds(of_account, of_month, month_used, answered_at, tiers, allowances);
    end if;
  end if;
  -- Put behind what is there only where something is: to join costs a copy of both.
  update job_chunk set state = case when is_done then 'done' else 'waiting' end,
    lease_owner = null, lease_until = null, attempts = 0, lengths = whole_lengths,
    output = case when has_before then output || more_output else more_output end,
    errors = case when has_before then errors || more_errors else more_errors end,
    succeeded = case when is_done then (whole_lengths ->> 'succeeded')::integer end,
    failed = case when is_done then (whole_lengths ->> 'failed')::integer end
  where job_id = of_job and chunk = of_chunk and state = 'leased' and lease_owner = claimed_by;
  if not found then
    raise exception 'the chunk is not this claim''s any more' using errcode = 'GL001';
  end if;
  update job set succeeded = succeeded + part_succeeded, failed = failed + part_failed,
    billed_units = billed_units + case when of_environment = 'live' then part_succeeded else 0 end,
    output_bytes = output_bytes + length(more_output) + length(more_errors),
    generation = greatest(generation, answered_generation), error = null, updated_at = now(),
    status = case when status = 'running'
        and succeeded + failed + part_rows = total_rows then 'completed' else status end,
    completed_at = case when status = 'running'
        and succeeded + failed + part_rows = total_rows then now() end
  where id = of_job;
  return 'written';
end $$;
