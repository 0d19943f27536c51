-- Of the four times of a table's rows those that its files have not, and that somebody took them without. Null: none.
alter table address_source add column without_times jsonb;
alter table bbr_source add column without_times jsonb;
alter table cadastre_source add column without_times jsonb;
alter table assessment_source add column without_times jsonb;
alter table protection_source add column without_times jsonb;
alter table company_source add column without_times jsonb;
alter table place_source add column without_times jsonb;
