-- expand, alone
create index concurrently if not exists bbr_entrance_access on bbr_entrance (access_id) where access_id is not null;
