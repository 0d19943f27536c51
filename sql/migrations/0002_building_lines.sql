-- The building-lines question, and where a run prepares the dissolved zones of D27.

-- Metres from a point inside a zone of the layer to the nearest edge of any, however far; null where
-- the layer has no zone. Looks in growing circles: ordering by `<->` stops with "index returned
-- tuples in wrong order" on PostGIS 3.6 when a piece of edge lies exactly as far as its box.
create function zone_edge_distance(line text, place geometry)
returns double precision language plpgsql stable
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
as $$
declare
  found_m double precision;
  radius_m double precision := 50;
begin
  loop
    select min(ST_Distance(e.geom, place)) into found_m
    from line_zone_edge e
    where e.layer = line and e.geom && ST_Expand(place, radius_m);
    -- Whatever lies outside the box is farther away than the circle within it.
    if found_m <= radius_m then return found_m; end if;
    -- No place in Denmark is farther from another: what there is has been seen.
    if radius_m > 1000000 then return found_m; end if;
    radius_m := radius_m * 4;
  end loop;
end $$;

-- The whole question in one statement, whose plan is made once per connection: planning it anew
-- for ten partitions would cost more than answering it. Any number of points times any lines;
-- `tolerances` says what the layer is: 0 an area, above 0 a line that one is on within so many
-- metres (D28). One row per point and line, also for a line that was never mirrored (version null).
-- Being stable, the function reads the caller's snapshot: layer states, generation and features are
-- of one moment.
create function building_line_answers(
  xs double precision[], ys double precision[], lines text[], tolerances double precision[],
  radius_m double precision, max_repealed integer)
returns table (
  point_no integer, line_no integer, generation bigint, version bigint, synced_ms double precision,
  is_within boolean, distance_m double precision, feature_count integer, hit_id text,
  hit_adopted boolean, hit_area_m2 double precision, hit_attributes jsonb, repealed jsonb)
language plpgsql stable rows 10
-- A plan made while a layer was empty must still go by the indexes; compiling costs more than it
-- saves; array lengths tell nothing about the answer's cost.
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = 'off'
set jit = 'off'
as $$
#variable_conflict use_column
begin
  return query
  select p.no::integer, q.no::integer, g.generation, s.version,
    (extract(epoch from s.synced_at) * 1000)::double precision,
    m.hit_id is not null,
    -- D27, D28: inside an area the way to the edge of its zone, however far. Subtracting from 0
    -- never gives -0.
    case
      when m.hit_id is null or q.tolerance_m > 0 then m.nearest_m
      else 0 - zone_edge_distance(q.line, p.geom)
    end,
    m.feature_count, m.hit_id, m.hit_adopted, m.hit_area_m2, m.hit_attributes, m.repealed
  from store_state g
  cross join (
    select u.no, ST_SetSRID(ST_MakePoint(u.x, u.y), 25832) as geom
    from unnest(xs, ys) with ordinality as u (x, y, no) offset 0
  ) p
  cross join unnest(lines, tolerances) with ordinality as q (line, tolerance_m, no)
  left join layer_state s on s.layer = q.line
  cross join lateral (
    -- Every feature is measured once. A distance of 0 is what "covers" means here, boundary
    -- included (D29).
    with near as materialized (
      select f.object_id, f.key, f.standing = 'in_force' as in_force, f.adopted, f.attributes,
        f.area_m2, f.geom, ST_Distance(f.geom, p.geom) as distance_m
      from line_feature f
      where f.layer = q.line and f.geom && ST_Expand(p.geom, radius_m)
    )
    select a.nearest_m, a.feature_count, h.*, r.repealed
    from (
      select min(n.distance_m)::double precision as nearest_m, count(*)::integer as feature_count
      from near n where n.in_force and n.distance_m <= radius_m
    ) a
    -- D26: adopted first, then deepest (of lines: nearest), then the lowest id.
    left join lateral (
      select n.object_id as hit_id, n.adopted as hit_adopted, n.area_m2 as hit_area_m2,
        n.attributes as hit_attributes
      from near n
      where n.in_force and n.distance_m <= q.tolerance_m
      order by n.adopted desc,
        case when q.tolerance_m > 0 then n.distance_m
          else -ST_Distance(ST_Boundary(n.geom), p.geom) end,
        n.object_id collate "C", n.key collate "C"
      limit 1
    ) h on true
    -- D31: nearest first, by the signed distance to the feature's own edge.
    left join lateral (
      select jsonb_agg(jsonb_build_array(b.object_id, b.signed_m, b.area_m2, b.attributes)
        order by b.signed_m, b.object_id collate "C", b.key collate "C") as repealed
      from (
        select n.object_id, n.key, n.area_m2, n.attributes,
          case when n.distance_m > 0 or q.tolerance_m > 0 then n.distance_m
            else 0 - ST_Distance(ST_Boundary(n.geom), p.geom) end as signed_m
        from near n where not n.in_force and n.distance_m <= radius_m
        order by signed_m, n.object_id collate "C", n.key collate "C" limit max_repealed
      ) b
    ) r on true
  ) m;
end $$;

-- A run's zones: which staged features make up which, and the edges of those that are new.
create unlogged table stage_zone_member (
  run_id bigint not null,
  zone_key bytea not null,
  key text not null
);
create index stage_zone_member_by_zone on stage_zone_member (run_id, zone_key);

create unlogged table stage_zone_edge (
  run_id bigint not null,
  zone_key bytea not null,
  geom geometry(LineString, 25832) not null
);
create index stage_zone_edge_by_zone on stage_zone_edge (run_id, zone_key);

-- Geometry is read far more often than written: unpacking it would cost more than the disk it saves.
do $$
declare
  part regclass;
begin
  for part in
    select inhrelid from pg_inherits
    where inhparent in ('line_feature'::regclass, 'line_zone_edge'::regclass)
  loop
    execute format('alter table %s alter column geom set storage external', part);
  end loop;
end $$;
