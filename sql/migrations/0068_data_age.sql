-- expand
-- When the register made the oldest of the files that the copy was read from, and from when on that is too
-- long ago. null: it does not say.
alter table layer_state add column made_at timestamptz, add column data_late_at timestamptz;
