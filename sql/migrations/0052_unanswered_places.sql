-- Features that could not be read are places nobody can answer for (D143). `unanswered`: their boxes, what
-- lookups ask ({"unreadable": [[west, south, east, north], ...]}, EPSG:25832 metres; null: none). `unread`:
-- what is told of them, on /drift. Both go with the version, and back with it.
alter table layer_state add column unanswered jsonb, add column unread jsonb;
alter table layer_history add column unanswered jsonb, add column unread jsonb;
