import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../db/tables.generated.ts';
import { ACCOUNT_COLUMNS, accountOf } from './account-store.ts';
import type { Account } from './account-store.ts';

type Db = Kysely<Database> | Transaction<Database>;

export interface SessionRecord {
  readonly id: string;
  readonly account: Account;
  readonly expiresAtMs: number;
}

/** false: no open account has this id. */
export async function insertLink(
  db: Db,
  link: { readonly hash: Buffer; readonly accountId: string; readonly expiresAtMs: number },
): Promise<boolean> {
  const { rows } = await sql<{ account_id: string }>`
    insert into sign_in_link (hash, account_id, expires_at)
    select ${link.hash}, a.id, ${instant(link.expiresAtMs)}::timestamptz
    from account a where a.id = ${link.accountId} and a.closed_at is null
    returning account_id`.execute(db);
  return rows.length > 0;
}

export interface NewSession {
  readonly linkHash: Buffer;
  readonly hash: Buffer;
  readonly id: string;
  readonly replaces: Buffer | null;
  readonly atMs: number;
  readonly expiresAtMs: number;
}

/**
 * Uses a link and opens a session in one statement, so only one caller succeeds. null: the link is unknown,
 * used or expired, or its account closed.
 */
export async function openSession(db: Db, session: NewSession): Promise<SessionRecord | null> {
  const { linkHash, hash, id, replaces, expiresAtMs } = session;
  const at = instant(session.atMs);
  const { rows } = await sql<SessionRow>`
    with used as (
      update sign_in_link l set used_at = ${at}::timestamptz
      from account a
      where l.hash = ${linkHash} and l.used_at is null and l.expires_at > ${at}::timestamptz
        and a.id = l.account_id and a.closed_at is null
      returning l.account_id
    ), opened as (
      insert into session (hash, id, account_id, created_at, expires_at)
      select ${hash}, ${id}, account_id, ${at}::timestamptz, ${instant(expiresAtMs)}::timestamptz
      from used
      returning id, account_id, expires_at
    ), ended as (
      update session set revoked_at = ${at}::timestamptz
      where hash = ${replaces}::bytea and revoked_at is null and exists (select from used)
    )
    select o.id as session_id, ${EXPIRES_MS(sql`o.expires_at`)}, ${ACCOUNT_COLUMNS}
    from opened o join account a on a.id = o.account_id`.execute(db);
  return rows[0] === undefined ? null : sessionOf(rows[0]);
}

export async function readSession(
  db: Db,
  hash: Buffer,
  nowMs: number,
): Promise<SessionRecord | null> {
  const { rows } = await sql<SessionRow>`
    select s.id as session_id, ${EXPIRES_MS(sql`s.expires_at`)}, ${ACCOUNT_COLUMNS}
    from session s join account a on a.id = s.account_id
    where s.hash = ${hash} and s.revoked_at is null and s.expires_at > ${instant(nowMs)}
      and a.closed_at is null`.execute(db);
  return rows[0] === undefined ? null : sessionOf(rows[0]);
}

export async function endSessions(
  db: Db,
  which: ({ readonly hash: Buffer } | { readonly accountId: string }) & { readonly atMs: number },
): Promise<void> {
  const at = instant(which.atMs);
  if ('hash' in which) {
    await sql`update session set revoked_at = ${at}
      where hash = ${which.hash} and revoked_at is null`.execute(db);
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
    with links as (delete from sign_in_link where expires_at < ${before}::timestamptz)
    delete from session where expires_at < ${before}::timestamptz`.execute(db);
}

const EXPIRES_MS = (column: ReturnType<typeof sql>) =>
  sql`floor(extract(epoch from ${column}) * 1000)::float8 as session_expires_ms`;

type SessionRow = Parameters<typeof accountOf>[0] & {
  session_id: string;
  session_expires_ms: number;
};

function sessionOf(row: SessionRow): SessionRecord {
  return { id: row.session_id, account: accountOf(row), expiresAtMs: row.session_expires_ms };
}
