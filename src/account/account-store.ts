import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/connect.ts';
import { allRows, firstRow, hasRow } from '../db/rows.ts';
import { TRIAL_ACCOUNT } from './ids.ts';
import type { Tier } from './plans.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly tier: Tier;
  /** Units a month; null: the plan's default. */
  readonly capUnits: number | null;
  readonly isOperator: boolean;
  readonly createdAtMs: number;
  readonly closedAtMs: number | null;
}

/** With exactly the catalogue's fields (interface: Events). */
export type AccountEvent =
  | {
      readonly event: 'key.created';
      readonly data: {
        readonly key_id: string;
        readonly name: string;
        readonly permission: string;
        readonly prefix: string;
      };
    }
  | { readonly event: 'key.revoked'; readonly data: { readonly key_id: string } }
  | { readonly event: 'subscription.updated'; readonly data: { readonly tier: Tier } };

export const ACCOUNT_COLUMNS = sql`a.id, a.name, a.email, a.tier, a.cap_units as "capUnits",
  a.is_operator as "isOperator", floor(extract(epoch from a.created_at) * 1000)::float8 as "createdAtMs",
  floor(extract(epoch from a.closed_at) * 1000)::float8 as "closedAtMs"`;

/** false: an open account has this address. */
export async function insertAccount(
  db: Db,
  account: Omit<Account, 'closedAtMs' | 'isOperator' | 'capUnits'>,
): Promise<boolean> {
  return await hasRow(db)`
    insert into account (id, name, email, tier, created_at)
    values (${account.id}, ${account.name}, ${account.email}, ${account.tier},
      ${instant(account.createdAtMs)})
    on conflict do nothing
    returning id`;
}

export async function findAccount(db: Db, named: string): Promise<Account | null> {
  return await firstRow<Account>(db)`
    select ${ACCOUNT_COLUMNS} from account a
    where a.id = ${named} or (lower(a.email) = lower(${named}) and a.closed_at is null)
    limit 1`;
}

/** Serializes changes of the account and its keys until the transaction ends. */
export async function lockAccount(db: Trx, id: string): Promise<Account | null> {
  return await firstRow<Account>(db)`
    select ${ACCOUNT_COLUMNS} from account a where a.id = ${id} for update`;
}

export async function listAccounts(db: Db): Promise<readonly Account[]> {
  return await allRows<Account>(db)`
    select ${ACCOUNT_COLUMNS} from account a
    order by a.closed_at is not null, a.created_at, a.id`;
}

/** Locks out concurrent creators; true: there is none yet. */
export async function lockWhileEmpty(db: Trx): Promise<boolean> {
  await lockRevision(db);
  return !(await hasAccount(db));
}

/** Makes changes of all accounts and keys wait until the transaction ends. */
export async function lockRevision(db: Trx): Promise<void> {
  await sql`select revision from account_revision for update`.execute(db);
}

/** The oldest open account, not counting the open trial's. */
export async function findFirstAccount(db: Db): Promise<Account | null> {
  return await firstRow<Account>(db)`
    select ${ACCOUNT_COLUMNS} from account a
    where a.closed_at is null and a.id <> ${TRIAL_ACCOUNT}
    order by a.created_at, a.id limit 1`;
}

/** Includes closed ones, but not the open trial's. */
async function hasAccount(db: Db): Promise<boolean> {
  return await hasRow(db)`
    select 1 as one from account where id <> ${TRIAL_ACCOUNT} limit 1`;
}

export interface AccountChange {
  readonly tier?: Tier;
  readonly capUnits?: number | null;
  readonly isOperator?: boolean;
  readonly closedAtMs?: number;
}

export async function updateAccount(db: Db, id: string, change: AccountChange): Promise<void> {
  const sets = [
    ...(change.tier === undefined ? [] : [sql`tier = ${change.tier}`]),
    ...(change.capUnits === undefined ? [] : [sql`cap_units = ${change.capUnits}`]),
    ...(change.isOperator === undefined ? [] : [sql`is_operator = ${change.isOperator}`]),
    ...(change.closedAtMs === undefined ? [] : [sql`closed_at = ${instant(change.closedAtMs)}`]),
  ];
  await sql`update account set ${sql.join(sets)} where id = ${id}`.execute(db);
}

export async function recordEvents(
  db: Db,
  accountId: string,
  { events, atMs }: { readonly events: readonly AccountEvent[]; readonly atMs: number },
): Promise<void> {
  if (events.length === 0) return;
  const names = events.map(({ event }) => event);
  const data = events.map((event) => JSON.stringify(event.data));
  await sql`
    insert into account_event (account_id, event, data, created_at)
    select ${accountId}, e.event, e.data, ${instant(atMs)}::timestamptz
    from unnest(${names}::text[], ${data}::jsonb[]) with ordinality as e(event, data, place)
    order by e.place`.execute(db);
}
