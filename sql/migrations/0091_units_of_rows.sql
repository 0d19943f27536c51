-- expand
-- A row of a job may cost more than one unit (D222). Programs before this one call claim_job_chunk and end_job_chunk: one
-- unit a row.
create function claim_priced_chunk(of_job text, claimed_by text, lease_ms integer, of_month date, month_ceiling bigint, judged_tier text, judged_cap bigint, newest_generation bigint, units_each integer)
 returns table(key_id text, columns jsonb, srid integer, input_columns text[], generation bigint, chunk integer, first_row integer, row_count integer, input bytea, lengths jsonb, attempts smallint, units bigint, others bigint)
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
#variable_conflict use_column
declare
  j record;
  c record;
  holder text;
  billed_key text;
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
  billed_key := job_billing_key(j.key_id);
  if billed_key is null then
    perform pause_job_without_key(of_job);
    return;
  end if;

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
  share := greatest(0, least(units_each * (c.rows - coalesce((c.lengths ->> 'rows')::integer, 0)),
    month_ceiling - month_used - held));
  -- A row is paid whole.
  share := share - share % units_each;
  -- Rows of a register that answers nobody yet cost nothing.
  if share = 0 and j.kind <> 'bbr' then
    return query select billed_key, j.columns, j.srid, j.input_columns, j.generation,
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
  update job set status = 'running', key_id = billed_key, started_at = coalesce(started_at, now()), updated_at = now(),
    generation = coalesce(generation, newest_generation)
  where id = of_job;
  return query select billed_key, j.columns, j.srid, j.input_columns,
    coalesce(j.generation, newest_generation), c.chunk, c.first_row, c.rows, c.input, c.lengths,
    c.attempts, share, held;
end $function$;

create function end_priced_chunk(of_job text, of_chunk integer, claimed_by text, is_done boolean, part_rows integer, part_succeeded integer, part_failed integer, more_output bytea, more_errors bytea, whole_lengths jsonb, has_before boolean, answered_generation bigint, of_account text, of_key text, of_environment text, of_operation text, of_month date, on_day date, answered_at timestamp with time zone, line_seq bigint, tiers text[], allowances bigint[], units_each integer)
 returns text
 language plpgsql
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
as $function$
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
  -- A revoked key bills nothing more: what was begun with it goes back unanswered.
  if exists (select from api_key k where k.id = of_key and k.revoked_at is not null) then
    perform drop_job_chunk(of_job, of_chunk, claimed_by, -1);
    perform pause_job_without_key(of_job);
    return 'dropped';
  end if;
  if part_succeeded > 0 then
    insert into usage_month as m (account_id, environment, month, used)
    values (of_account, of_environment, of_month, part_succeeded * units_each)
    on conflict (account_id, environment, month) do update set used = m.used + excluded.used
    returning used into month_used;
  end if;
  -- Whoever claimed it since has set aside anew under the same name: then nothing here is kept.
  delete from usage_grant where instance_id = of_job || '-' || of_chunk;
  if part_succeeded > 0 then
    insert into usage_day as d (account_id, day, key_id, operation, environment, units, requests)
    values (of_account, on_day, of_key, of_operation, of_environment, part_succeeded * units_each, 1)
    on conflict (account_id, day, key_id, operation, environment) do update
      set units = d.units + excluded.units, requests = d.requests + excluded.requests;
    insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment,
      units, generation, request_id)
    values (of_job, line_seq, answered_at, on_day, of_account, of_key, of_operation,
      of_environment, part_succeeded * units_each, answered_generation, of_job || '-' || of_chunk);
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
    billed_units = billed_units
      + case when of_environment = 'live' then part_succeeded * units_each else 0 end,
    output_bytes = output_bytes + length(more_output) + length(more_errors),
    generation = greatest(generation, answered_generation), error = null, updated_at = now(),
    status = case when status = 'running'
        and succeeded + failed + part_rows = total_rows then 'completed' else status end,
    completed_at = case when status = 'running'
        and succeeded + failed + part_rows = total_rows then now() end
  where id = of_job;
  return 'written';
end $function$;
