-- A key that a page makes for itself ends with the session that made it (issue 21). No reference: a session
-- is forgotten a month after its end, its keys are kept with the rest.
alter table api_key add column session_id text;
create index api_key_by_session on api_key (account_id, session_id) where session_id is not null;
