-- expand
-- How an address point was found, where the address meets its road, and which way its number is written;
-- null until their files are read whole again.

alter table address_point add column source text, add column standard text, add column surveyed text,
  add column accuracy text;
alter table address_access add column direction text, add column road_point_id uuid;

-- When a row of an area was last published with other content, and with another surface. Rows are deleted
-- and inserted again, so it is kept apart from them.
create table area_change (
  theme text not null,
  key text not null,
  content_hash bytea not null,
  -- null: of a row that was there before this table.
  geometry_hash text,
  geometry_version integer not null default 1,
  changed_at timestamptz not null default now(),
  geometry_changed_at timestamptz not null default now(),
  primary key (theme, key)
);

insert into area_change (theme, key, content_hash, changed_at, geometry_changed_at)
select a.theme, a.key, a.content_hash, s.published_at, s.published_at
from area a join layer_state s on s.layer = a.theme;

create function note_area_change() returns trigger language plpgsql as $$
declare
  surface text := md5(ST_AsBinary(new.geom));
begin
  insert into area_change as c (theme, key, content_hash, geometry_hash)
  values (new.theme, new.key, new.content_hash, surface)
  on conflict (theme, key) do update set
    content_hash = new.content_hash,
    geometry_hash = surface,
    geometry_version = c.geometry_version + (c.geometry_hash is distinct from surface)::integer,
    changed_at = now(),
    geometry_changed_at =
      case when c.geometry_hash is distinct from surface then now() else c.geometry_changed_at end
  where c.content_hash is distinct from new.content_hash;
  return null;
end $$;
create trigger area_changed after insert on area
for each row execute function note_area_change();

-- As in 0013, of the six themes alone: polling districts are areas too.
create or replace function covering_areas(
  xs double precision[], ys double precision[], hair_m double precision)
returns table (point_no integer, theme text, code text, name text)
language plpgsql stable rows 6
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
set enable_hashjoin = 'off'
set enable_mergejoin = 'off'
set jit = 'off'
as $$
#variable_conflict use_column
begin
  return query
  select distinct p.no::integer, a.theme, a.code, a.name
  from (
    select u.no, ST_SetSRID(ST_MakePoint(u.x, u.y), 25832) as geom
    from unnest(xs, ys) with ordinality as u (x, y, no) offset 0
  ) p
  join area_piece s on ST_DWithin(s.geom, p.geom, hair_m)
  join area a on a.theme = s.theme and a.key = s.key
  where s.theme in ('region', 'kommune', 'sogn', 'retskreds', 'politikreds', 'opstillingskreds') and case
    when ST_DWithin(ST_Boundary(s.geom), p.geom, hair_m) then ST_Covers(a.geom, p.geom)
    else ST_Covers(s.geom, p.geom)
  end;
end $$;
