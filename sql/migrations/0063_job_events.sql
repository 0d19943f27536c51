-- Webhooks: an account is told that a job has ended (D146), and an endpoint has a secret after the other (D147).

alter table account_event drop constraint account_event_event_check;
alter table account_event add constraint account_event_event_check check (event in (
  'key.created', 'key.revoked', 'subscription.updated', 'usage.threshold', 'job.completed', 'job.failed'));
alter table webhook_delivery drop constraint webhook_delivery_event_check;
alter table webhook_delivery add constraint webhook_delivery_event_check check (event in (
  'key.created', 'key.revoked', 'subscription.updated', 'usage.threshold', 'job.completed', 'job.failed',
  'ping'));

-- In the statement that ends the job, whoever ends it and for whatever reason: once, or not at all. Of
-- accounts that no endpoint asks for it there is no row: jobs are made by the thousand. A job that is
-- cancelled was ended by its owner, or left alone for a month: nobody waits for it.
create function tell_job_end() returns trigger language plpgsql as $$
declare
  told text := 'job.' || new.status;
begin
  if exists (
    select from webhook_endpoint e
    where e.account_id = new.account_id and e.removed_at is null and e.enabled
      and told = any (e.events)
  ) then
    insert into account_event (account_id, event, data, created_at)
    values (new.account_id, told,
      jsonb_build_object('job_id', new.id, 'kind', new.kind, 'label', new.label)
        || case new.status
          when 'completed' then jsonb_build_object('total_rows', new.total_rows,
            'succeeded', new.succeeded, 'failed', new.failed, 'billed_units', new.billed_units)
          else jsonb_build_object('error', new.error)
        end,
      coalesce(new.completed_at, now()));
  end if;
  return null;
end $$;
create trigger job_end_is_told after update of status on job
  for each row when (old.status is distinct from new.status and new.status in ('completed', 'failed'))
  execute function tell_job_end();

-- The secret before, sealed as the other, and until when deliveries are signed with it too.
alter table webhook_endpoint add column former_secret bytea;
alter table webhook_endpoint add column former_secret_until timestamptz;
alter table webhook_endpoint add constraint webhook_endpoint_former_secret
  check ((former_secret is null) = (former_secret_until is null)
    and (former_secret is null or removed_at is null));
create index webhook_endpoint_former on webhook_endpoint (former_secret_until)
  where former_secret_until is not null;
