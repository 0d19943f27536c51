-- expand, alone
-- The first persons of accounts that were there before persons.
insert into account_person (id, account_id, email, roles, created_at)
select 'person_' || substr(id, 9), id, email, '{administers}', created_at from account
on conflict do nothing;
