-- Whether a register's own word may be taken where the copy is too old: how many features it held when
-- the copy was last proved, and whether its latest reading was refused by a guard.

-- As a live lookup counts them: of DAGI the rows of the scale that is mirrored. null: not known.
alter table layer_state add column source_rows integer check (source_rows >= 0);

update layer_state s
set source_rows = coalesce(
  case when s.layer in ('region', 'kommune', 'sogn', 'retskreds', 'politikreds',
      'opstillingskreds', 'postnummer')
    then null
    else (
      select (r.counts ->> 'received')::integer
      from sync_run r
      where r.layer = s.layer and r.state in ('published', 'unchanged') and r.kind = 'sync'
        and r.counts ->> 'source' = 'wfs'
      order by r.id desc limit 1)
  end,
  s.row_count);

-- From the refusal until a later run of the layer passes. A layer that was never mirrored may have one.
create table register_refusal (
  layer text primary key,
  run_id bigint not null,
  refused_at timestamptz not null
);

insert into register_refusal (layer, run_id, refused_at)
select layer, id, ended_at from (
  select distinct on (layer) layer, id, state, ended_at
  from sync_run
  where state in ('published', 'unchanged', 'refused') and kind = 'sync' and layer <> 'adresser'
  order by layer, id desc
) latest
where state = 'refused' and ended_at is not null;
