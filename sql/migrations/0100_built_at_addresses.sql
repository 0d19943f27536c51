-- Buildings, entrances and units of BBR by the address that they are at, whatever property they are of.
create index bbr_building_access on bbr_building (access_id) where access_id is not null;
create index bbr_entrance_access on bbr_entrance (access_id) where access_id is not null;
create index bbr_unit_address on bbr_unit (address_id) where address_id is not null;
