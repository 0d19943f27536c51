-- expand, alone
-- Who made a key, without reading all acts of its account (D264).
create index concurrently if not exists operator_act_key_made on operator_act (account_id, target) where act = 'key mint';
