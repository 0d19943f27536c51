-- expand, alone
-- DAWA's key of a road in its municipality (D230).
create index concurrently if not exists address_road_part_code on address_road_part (municipality_code, road_code);
