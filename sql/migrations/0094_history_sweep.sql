-- expand
-- Removes a step of the history that is past its time, or past the rows that a register keeps, oldest first and at most
-- `batch` rows at a time (D226). From its first row on nobody reads the step. 0: nothing is to be removed.
create function sweep_history(since timestamptz, kept_rows bigint, batch integer)
returns integer language plpgsql as $$
declare
  step record;
  kept regclass;
  removed integer;
begin
  select h.layer, h.version into step
  from (
    select h.layer, h.version, h.is_leaving, coalesce(t.at, h.published_at) as at,
      row_number() over newest as place, sum(coalesce(t.events, 0)) over newest as rows
    from layer_history h
    left join change_transaction t on t.layer = h.layer and t.version = h.version
    window newest as (partition by h.layer order by h.version desc)) h
  -- The latest stay for a step back, whatever their age.
  where h.is_leaving or (h.place > 3 and (h.at < since or h.rows > kept_rows))
  order by h.is_leaving desc, h.layer, h.version limit 1;
  if not found then
    return 0;
  end if;
  update layer_history h set is_leaving = true
  where h.layer = step.layer and h.version = step.version and not h.is_leaving;
  update change_transaction t set is_gone = true
  where t.layer = step.layer and t.version = step.version and not t.is_gone;
  for kept in
    select conrelid::regclass from pg_constraint
    where contype = 'f' and confrelid = 'layer_history'::regclass and conparentid = 0
  loop
    execute format('delete from %s where ctid = any(array(
      select ctid from %s where layer = $1 and version = $2 limit $3))', kept, kept)
      using step.layer, step.version, batch;
    get diagnostics removed = row_count;
    if removed > 0 then
      return removed;
    end if;
  end loop;
  delete from change_event where event in (
    select e.event from change_transaction t
    join change_event e on e.event >= t.first_event and e.event < t.next_event
    where t.layer = step.layer and t.version = step.version limit batch);
  get diagnostics removed = row_count;
  if removed > 0 then
    return removed;
  end if;
  -- The transaction itself stays as the bound, until a later one takes its place.
  delete from layer_history h where h.layer = step.layer and h.version = step.version;
  delete from change_transaction t where t.layer = step.layer and t.version < step.version;
  return 1;
end $$;
