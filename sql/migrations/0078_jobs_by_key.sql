-- expand, alone
create index concurrently if not exists job_by_key on job (key_id);
