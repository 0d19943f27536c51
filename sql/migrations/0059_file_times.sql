-- When the newest file of a table was made, as its listing said: of two versions, whose counters have
-- nothing to do with one another, the time alone tells which is older. Null for what was read before.
alter table address_source add column made_at timestamptz;
alter table bbr_source add column made_at timestamptz;
alter table cadastre_source add column made_at timestamptz;
alter table assessment_source add column made_at timestamptz;
alter table protection_source add column made_at timestamptz;
alter table company_source add column made_at timestamptz;
alter table place_source add column made_at timestamptz;
