-- expand, alone
-- Buildings, and below entrances and units, by the address that they are at, whatever property they are of (D240).
create index concurrently if not exists bbr_building_access on bbr_building (access_id) where access_id is not null;
