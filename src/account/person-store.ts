import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { allRows } from '../db/rows.ts';
import { instant } from '../kernel/clock.ts';
import type { Role } from './roles.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly createdAtMs: number;
  /** First sign-in; null: none yet. */
  readonly joinedAtMs: number | null;
}

export const PERSON_COLUMNS = sql`p.id, p.email, p.roles,
  floor(extract(epoch from p.created_at) * 1000)::float8 as "createdAtMs",
  floor(extract(epoch from p.joined_at) * 1000)::float8 as "joinedAtMs"`;

/** Without removed ones, oldest first. */
export async function listPersons(db: Db, accountId: string): Promise<readonly Person[]> {
  return await allRows<Person>(db)`
    select ${PERSON_COLUMNS} from account_person p
    where p.account_id = ${accountId} and p.removed_at is null
    order by p.created_at, p.id`;
}

/** In open accounts, with the accounts' names. */
export async function personsAt(
  db: Db,
  email: string,
  most: number,
): Promise<readonly { readonly personId: string; readonly account: string }[]> {
  return await allRows<{ personId: string; account: string }>(db)`
    select p.id as "personId", a.name as account
    from account_person p join account a on a.id = p.account_id
    where lower(p.email) = lower(${email}) and p.removed_at is null and a.closed_at is null
    order by p.created_at, p.id limit ${most}`;
}

export async function insertPerson(
  db: Db,
  person: Omit<Person, 'joinedAtMs'> & { readonly accountId: string },
): Promise<void> {
  const { id, accountId, email, roles, createdAtMs } = person;
  await sql`
    insert into account_person (id, account_id, email, roles, created_at)
    values (${id}, ${accountId}, ${email}, ${roles}::text[], ${instant(createdAtMs)})`.execute(db);
}

export async function updateRoles(db: Db, id: string, roles: readonly Role[]): Promise<void> {
  await sql`update account_person set roles = ${roles}::text[] where id = ${id}`.execute(db);
}

/** Also ends unused links; returns the ended sessions' ids. */
export async function removePerson(db: Db, id: string, atMs: number): Promise<readonly string[]> {
  const at = sql`${instant(atMs)}::timestamptz`;
  const { rows } = await sql<{ id: string }>`
    with gone as (
      update account_person set removed_at = ${at} where id = ${id} returning id, account_id
    ), links as (
      update sign_in_link l set used_at = ${at} from gone
      where ${PERSON_OF(sql`l`)} = gone.id and l.used_at is null
    )
    update session s set revoked_at = ${at} from gone
    where s.account_id = gone.account_id and ${PERSON_OF(sql`s`)} = gone.id and s.revoked_at is null
    returning s.id`.execute(db);
  return rows.map((row) => row.id);
}

/** Earlier versions stored no person. */
export const PERSON_OF = (row: ReturnType<typeof sql>) =>
  sql`coalesce(${row}.person_id, 'person_' || substr(${row}.account_id, 9))`;
