-- Addresses that name no municipality take it from their road: by the road, not through all parts.
create index address_road_part_road on address_road_part (road_id);
