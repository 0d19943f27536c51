-- expand, alone
create index concurrently if not exists bbr_unit_address on bbr_unit (address_id) where address_id is not null;
