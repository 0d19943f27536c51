-- What a layer's copy was read from: the way, the newest file and its counter, and the columns the
-- source had (sync/origin.ts). `atVersion` says which version it is about. Null: not known.
alter table layer_state add column origin jsonb;
