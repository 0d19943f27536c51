-- Units that a process answered while the store was away were never granted. They count as granted the
-- moment they are folded, so that what is outstanding of a process is never less than nothing: else
-- others were granted more than an account's ceiling holds.

-- Takes lines of a journal into every table that counts, all of them or none, and only if the journal
-- stands where they begin; else false. Each part waits for the one before. A threshold is told once, by
-- whichever fold reaches it.
create or replace function fold_usage(
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
      insert into usage_grant as g
        (account_id, environment, month, instance_id, granted, spent, revision)
      select account_id, environment, month, folder, sum(units), sum(units), 0 from line
      where (select count(*) from month) > 0
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, environment, month, instance_id) do update
        set spent = g.spent + excluded.spent,
          granted = greatest(g.granted, g.spent + excluded.spent)
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
