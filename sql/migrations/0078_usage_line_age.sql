-- expand, alone
create index concurrently if not exists usage_line_by_age on usage_line using brin (at);
