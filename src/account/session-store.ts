import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { firstRow, hasRow } from '../db/rows.ts';
import { ACCOUNT_COLUMNS } from './account-store.ts';
import type { Account } from './account-store.ts';
import { PERSON_COLUMNS, PERSON_OF } from './person-store.ts';
import type { Person } from './person-store.ts';

export interface SessionRecord {
  readonly id: string;
  readonly account: Account;
  readonly person: Person;
  readonly expiresAtMs: number;
}

export interface NewLink {
  readonly hash: Buffer;
  /** A person's id, or an account's for its first administrator. */
  readonly of: string;
  /** Digest of the requesting browser's token; null: any browser. */
  readonly browser: Buffer | null;
  readonly expiresAtMs: number;
}

/** false: no open account has such a person. */
export async function insertLink(db: Db, link: NewLink): Promise<boolean> {
  return await hasRow(db)`
    insert into sign_in_link (hash, account_id, person_id, browser, expires_at)
    select ${link.hash}, a.id, p.id, ${link.browser}::bytea, ${instant(link.expiresAtMs)}::timestamptz
    from account_person p join account a on a.id = p.account_id
    where (p.id = ${link.of} or (a.id = ${link.of} and 'administers' = any(p.roles)))
      and p.removed_at is null and a.closed_at is null
    order by p.created_at, p.id limit 1
    returning account_id`;
}

/** The link is unused, but another browser requested it. */
export async function isOfOtherBrowser(
  db: Db,
  link: { readonly hash: Buffer; readonly browser: Buffer | null; readonly atMs: number },
): Promise<boolean> {
  return await hasRow(db)`
    select from sign_in_link
    where hash = ${link.hash} and used_at is null and expires_at > ${instant(link.atMs)}
      and browser is distinct from ${link.browser}::bytea and browser is not null`;
}

export interface NewSession {
  readonly linkHash: Buffer;
  readonly browser: Buffer | null;
  readonly hash: Buffer;
  readonly id: string;
  readonly atMs: number;
  readonly expiresAtMs: number;
}

/**
 * Each link opens one session. null: unknown, used, expired or another browser's, its person
 * removed or its account closed.
 */
export async function openSession(db: Db, session: NewSession): Promise<SessionRecord | null> {
  const { linkHash, browser, hash, id, expiresAtMs } = session;
  const at = instant(session.atMs);
  const row = await firstRow<SessionRecord>(db)`
    with used as (
      update sign_in_link l set used_at = ${at}::timestamptz
      from account a, account_person p
      where l.hash = ${linkHash} and l.used_at is null and l.expires_at > ${at}::timestamptz
        and (l.browser is null or l.browser = ${browser}::bytea)
        and a.id = l.account_id and a.closed_at is null
        and p.id = ${PERSON_OF(sql`l`)} and p.removed_at is null
      returning l.account_id, p.id as person_id
    ), joined as (
      update account_person p set joined_at = ${at}::timestamptz
      from used where p.id = used.person_id and p.joined_at is null
    ), opened as (
      insert into session (hash, id, account_id, person_id, created_at, expires_at)
      select ${hash}, ${id}, account_id, person_id, ${at}::timestamptz,
        ${instant(expiresAtMs)}::timestamptz
      from used
      returning id, account_id, person_id, expires_at
    )
    select o.id, ${OF_SESSION(sql`o`)}
    from opened o join account a on a.id = o.account_id
      join account_person p on p.id = o.person_id`;
  if (row === null) return null;
  const { person } = row;
  return { ...row, person: { ...person, joinedAtMs: person.joinedAtMs ?? session.atMs } };
}

export async function readSession(
  db: Db,
  hash: Buffer,
  nowMs: number,
): Promise<SessionRecord | null> {
  return await firstRow<SessionRecord>(db)`
    select s.id, ${OF_SESSION(sql`s`)}
    from session s join account a on a.id = s.account_id
      join account_person p on p.id = ${PERSON_OF(sql`s`)} and p.removed_at is null
    where s.hash = ${hash} and s.revoked_at is null and s.expires_at > ${instant(nowMs)}
      and a.closed_at is null`;
}

export async function endSessions(
  db: Db,
  which: ({ readonly sessionId: string } | { readonly accountId: string }) & {
    readonly atMs: number;
  },
): Promise<void> {
  const at = instant(which.atMs);
  if ('sessionId' in which) {
    await sql`update session set revoked_at = ${at}
      where id = ${which.sessionId} and revoked_at is null`.execute(db);
    return;
  }
  await sql`
    with links as (
      update sign_in_link set used_at = ${at}::timestamptz
      where account_id = ${which.accountId} and used_at is null
    )
    update session set revoked_at = ${at}::timestamptz
    where account_id = ${which.accountId} and revoked_at is null`.execute(db);
}

export async function forgetEnded(db: Db, beforeMs: number): Promise<void> {
  const before = instant(beforeMs);
  await sql`
    with links as (delete from sign_in_link where expires_at < ${before}::timestamptz),
      persons as (delete from account_person where removed_at < ${before}::timestamptz)
    delete from session where expires_at < ${before}::timestamptz`.execute(db);
}

const OF_SESSION = (session: ReturnType<typeof sql>) => sql`
  floor(extract(epoch from ${session}.expires_at) * 1000)::float8 as "expiresAtMs",
  (select to_json(x) from (select ${ACCOUNT_COLUMNS}) x) as account,
  (select to_json(x) from (select ${PERSON_COLUMNS}) x) as person`;
