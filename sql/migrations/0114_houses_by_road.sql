-- expand, alone
-- Which postcodes the addresses of a road have (D256).
create index concurrently if not exists address_access_road on address_access (road_id);
