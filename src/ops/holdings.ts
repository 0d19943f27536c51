/** What an export shows and an erasure removes of a customer, by table (D201). */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

type Part = RawBuilder<unknown>;

export interface Holding {
  readonly table: string;
  /** Its rows of the account. */
  readonly of: (accountId: string) => Part;
  /** Secrets, their digests, and bytes written in another form. */
  readonly hidden?: readonly string[];
  /** `go`: deletes. null: keeps. */
  readonly erase: 'go' | null | { readonly set: Part; readonly isLeft: Part };
  /** Why some of it stays; absent: nothing does. */
  readonly stays?: string;
}

const own = (accountId: string): Part => sql`account_id = ${accountId}`;
const ofKeys = (accountId: string): Part =>
  sql`key_id in (select id from api_key where account_id = ${accountId})`;
const ofEndpoints = (accountId: string): Part =>
  sql`endpoint_id in (select id from webhook_endpoint where account_id = ${accountId})`;
const ofLists = (accountId: string): Part =>
  sql`list_id in (select id from watch_list where account_id = ${accountId})`;
const ofJobs = (accountId: string): Part =>
  sql`job_id in (select id from job where account_id = ${accountId})`;

const ERASED = 'slettet';

/** A person of the account acted (D216). */
const IS_PERSONS_ACT = sql`exists (
  select from account_person p
  where p.account_id = operator_act.account_id and lower(p.email) = lower(operator_act.who))`;

/** In order of erasure: referring rows first. */
export const HOLDINGS: readonly Holding[] = [
  { table: 'watch_missed', of: ofEndpoints, erase: 'go' },
  { table: 'webhook_delivery', of: ofEndpoints, erase: 'go' },
  { table: 'webhook_endpoint', of: own, hidden: ['sealed_secret', 'former_secret'], erase: 'go' },
  { table: 'account_event', of: own, erase: 'go' },
  { table: 'watch_piece', of: ofLists, erase: 'go' },
  { table: 'watch_list', of: own, erase: 'go' },
  { table: 'job_chunk', of: ofJobs, hidden: ['input', 'output', 'errors'], erase: 'go' },
  { table: 'job_request', of: own, hidden: ['body_hash'], erase: 'go' },
  { table: 'job', of: own, erase: 'go' },
  { table: 'session', of: own, hidden: ['hash'], erase: 'go' },
  { table: 'sign_in_link', of: own, hidden: ['hash', 'browser'], erase: 'go' },
  { table: 'account_alarm', of: own, erase: 'go' },
  {
    ...{ table: 'account_request', erase: 'go' },
    of: (accountId) => sql`(account_id = ${accountId} or lower(email) in (
      select lower(p.email) from account_person p where p.account_id = ${accountId}))`,
  },
  { table: 'api_key_use', of: ofKeys, erase: 'go' },
  {
    ...{ table: 'api_key', of: own, hidden: ['hash'] },
    erase: {
      set: sql`name = ${ERASED}, prefix = ${ERASED}, session_id = null,
        hash = sha256(convert_to(id || gen_random_uuid()::text, 'UTF8')),
        origins = case when kind = 'public' then array[${ERASED}] else '{}' end`,
      isLeft: sql`prefix <> ${ERASED}`,
    },
    stays: 'ids of keys, which sums of bills name; without names, origins and digests',
  },
  {
    ...{ table: 'usage_line', of: own },
    erase: { set: sql`request_id = '-'`, isLeft: sql`request_id <> '-'` },
    stays: 'lines of bills, without the ids that requests carried, until RETENTION removes them',
  },
  {
    table: 'usage_day',
    of: own,
    erase: null,
    stays: 'sums of bills: five years by bogføringsloven',
  },
  {
    ...{ table: 'usage_month', of: own, erase: null },
    stays: 'units of bills: five years by bogføringsloven',
  },
  {
    ...{ table: 'usage_grant', of: own, erase: null },
    stays: 'numbers of units set aside, until their process has settled',
  },
  {
    ...{ table: 'operator_act', of: own, hidden: ['hash', 'from_address'] },
    erase: {
      set: sql`who = case when ${IS_PERSONS_ACT} then ${ERASED} else who end,
        before = null, wanted = '{}', redacted_at = clock_timestamp()`,
      // Acts of earlier versions, and those of and about its persons, name a customer.
      isLeft: sql`redacted_at is null and (jsonb_exists(before, 'email') or ${IS_PERSONS_ACT}
        or jsonb_exists_any(wanted, array['account', 'email', 'name', 'origins']))`,
    },
    stays: 'who did what and when, and which plan, cap or right it was: five years (D159)',
  },
  { table: 'account_person', of: own, erase: 'go' },
  {
    ...{ table: 'account', of: (accountId) => sql`id = ${accountId}` },
    erase: {
      set: sql`name = 'Slettet kunde', email = id || '@slettet.invalid', is_operator = false,
        erased_at = clock_timestamp()`,
      isLeft: sql`erased_at is null`,
    },
    stays: 'its id, plan and dates, which bills belong to; without name and address',
  },
];
