import { instant } from '../kernel/clock.ts';
import { sql } from 'kysely';
import type { Db, Store } from '../db/connect.ts';
import { allRows, firstRow, firstValue, hasRow, oneRow } from '../db/rows.ts';
import { recordEvents } from './account-store.ts';
import type { AccountEvent } from './account-store.ts';
import { PERSON_OF } from './person-store.ts';
import { TRIAL_ACCOUNT } from './ids.ts';
import { digestBytes } from './key-format.ts';
import type { KeyKind } from './key-format.ts';
import type { KeyUse, KeysRead } from './key-ring.ts';
import type { KeyRecord, Principal } from './principal.ts';
import { areasOf, parsePermission } from './permissions.ts';
import type { Area, Permission } from './permissions.ts';
import type { Environment } from './plans.ts';

type HasDb = Pick<Store, 'db'>;

export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly prefix: string;
  readonly kind: KeyKind;
  readonly environment: Environment;
  readonly permission: Permission;
  readonly origins: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly replacedBy: string | null;
  /** To about a minute; null: never. */
  readonly lastUsedAtMs: number | null;
  /** The person's address; null: it was not kept, or an operator made it. */
  readonly madeBy: string | null;
}

interface RingRow extends Omit<Principal, 'areas' | 'visitor'>, Pick<KeyRecord, 'expiresAtMs'> {
  readonly revision: number;
  readonly hash: Buffer | null;
  readonly permission: string;
}

const RING_COLUMNS = sql`k.hash, k.id as "keyId", k.account_id as "accountId", a.tier,
  k.environment, k.kind, k.permission, k.origins, a.cap_units as "capUnits",
  floor(extract(epoch from k.expires_at) * 1000)::float8 as "expiresAtMs"`;

export async function readKeys({ db }: HasDb, digests: readonly string[]): Promise<KeysRead> {
  const hashes = digests.map(digestBytes);
  const { rows } = await sql<RingRow>`
    select r.revision, k.*
    from account_revision r left join (
      select ${RING_COLUMNS}
      from api_key k join account a on a.id = k.account_id
      where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null and a.closed_at is null
    ) k on true`.execute(db);
  const [first] = rows;
  if (first === undefined) throw new Error('account_revision has no row.');
  return { revision: first.revision, keys: rows.flatMap(keyRecordOf) };
}

/** Most recently used first, of one moment. */
export async function readWorkingKeys(
  { db }: HasDb,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<KeysRead> {
  const { rows } = await sql<RingRow>`
    select r.revision, k.*
    from account_revision r left join (
      select ${RING_COLUMNS}, coalesce(u.last_used_at, k.created_at) as used_at
      from api_key k join account a on a.id = k.account_id
        left join api_key_use u on u.key_id = k.id
      where k.revoked_at is null and a.closed_at is null
        and (k.expires_at is null or k.expires_at > ${instant(nowMs)})
      order by used_at desc, k.id limit ${most}
    ) k on true order by k.used_at desc, k."keyId"`.execute(db);
  const [first] = rows;
  if (first === undefined) throw new Error('account_revision has no row.');
  return { revision: first.revision, keys: rows.flatMap(keyRecordOf) };
}

/** Except keys of the open trial and of sessions. */
export async function hasWorkingKey(db: Store['db'], nowMs: number): Promise<boolean> {
  return await hasRow(db)`
    select 1 as one from api_key k join account a on a.id = k.account_id
    where k.revoked_at is null and a.closed_at is null and k.session_id is null
      and a.id <> ${TRIAL_ACCOUNT}
      and (k.expires_at is null or k.expires_at > ${instant(nowMs)})
    limit 1`;
}

function keyRecordOf(row: RingRow): KeyRecord[] {
  const { hash, keyId, accountId, tier, environment, kind, permission, origins, capUnits } = row;
  if (hash === null) return [];
  const areas = areasNamed(permission);
  const of = { keyId, accountId, tier, environment, kind, areas, origins, capUnits };
  const { expiresAtMs } = row;
  return [{ digest: hash.toString('latin1'), expiresAtMs, principal: Object.freeze(of) }];
}

/** Empty for a permission that a newer version wrote. */
function areasNamed(text: string): ReadonlySet<Area> {
  const permission = parsePermission(text);
  return permission === null ? new Set() : areasOf(permission);
}

export async function readRevision({ db }: { readonly db: Db }): Promise<number> {
  const row = await oneRow<{ revision: number }>(db)`
    select revision from account_revision`;
  return row.revision;
}

/** The latest use of each key; safe in any order. */
export async function recordUse({ db }: HasDb, uses: readonly KeyUse[]): Promise<void> {
  const ids = uses.map(({ keyId }) => keyId);
  const times = uses.map(({ usedAtMs }) => instant(usedAtMs));
  // In key order, so that two processes do not deadlock.
  await sql`
    insert into api_key_use (key_id, last_used_at)
    select u.key_id, u.at from unnest(${ids}::text[], ${times}::timestamptz[]) as u(key_id, at)
    join api_key k on k.id = u.key_id order by u.key_id
    on conflict (key_id) do update
      set last_used_at = greatest(api_key_use.last_used_at, excluded.last_used_at)`.execute(db);
}

export interface NewKeyRow extends Omit<
  ApiKey,
  'revokedAtMs' | 'replacedBy' | 'lastUsedAtMs' | 'madeBy'
> {
  readonly digest: string;
  readonly sessionId: string | null;
}

export async function insertKey(db: Db, key: NewKeyRow): Promise<void> {
  await sql`
    insert into api_key (id, account_id, hash, prefix, name, kind, environment, permission,
      origins, created_at, expires_at, session_id)
    values (${key.id}, ${key.accountId}, ${digestBytes(key.digest)}, ${key.prefix}, ${key.name},
      ${key.kind}, ${key.environment}, ${key.permission}, ${key.origins}::text[],
      ${instant(key.createdAtMs)}, ${instant(key.expiresAtMs)},
      ${key.sessionId})`.execute(db);
}

export async function countKeys(
  db: Db,
  accountId: string,
  { nowMs, sinceMs }: { readonly nowMs: number; readonly sinceMs: number },
): Promise<{ readonly working: number; readonly recent: number }> {
  return await oneRow<{ working: number; recent: number }>(db)`
    select
      count(*) filter (where revoked_at is null
        and (expires_at is null or expires_at > ${instant(nowMs)}))::int as working,
      count(*) filter (where created_at > ${instant(sinceMs)})::int as recent
    from api_key where account_id = ${accountId}`;
}

export async function ownerOf(db: Db, keyId: string): Promise<string | null> {
  return await firstValue<string | null>(db, null)`
    select account_id from api_key where id = ${keyId}`;
}

export async function readKey(
  db: Db,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
): Promise<ApiKey | null> {
  return await firstRow<ApiKey>(db)`
    select ${KEY_COLUMNS} from ${USED_KEYS}
    where k.account_id = ${accountId} and k.id = ${keyId}`;
}

export async function listKeys(
  { db }: HasDb,
  accountId: string,
  { nowMs, ended }: { readonly nowMs: number; readonly ended: number },
): Promise<readonly ApiKey[]> {
  const now = instant(nowMs);
  const works = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`;
  const own = (isWorking: typeof works) => sql`
    select ${KEY_COLUMNS} from ${USED_KEYS}
    where k.account_id = ${accountId} and ${isWorking} order by k.created_at desc, k.id`;
  return await allRows<ApiKey>(db)`
    (${own(works)}) union all (${own(sql`not (${works})`)} limit ${ended})`;
}

/** On record as an event of each. */
export async function revokeKeys(
  db: Db,
  which: {
    readonly accountId: string;
    readonly keyId?: string;
    readonly sessionId?: string;
    readonly atMs: number;
  },
): Promise<void> {
  const one = which.keyId === undefined ? sql`` : sql`and id = ${which.keyId}`;
  const those = which.sessionId === undefined ? sql`` : sql`and session_id = ${which.sessionId}`;
  const { rows } = await sql<{ id: string }>`
    update api_key set revoked_at = ${instant(which.atMs)}
    where account_id = ${which.accountId} and revoked_at is null ${one} ${those}
    returning id`.execute(db);
  const events = rows.map(({ id }): AccountEvent => ({
    event: 'key.revoked',
    data: { key_id: id },
  }));
  await recordEvents(db, which.accountId, { events, atMs: which.atMs });
}

export async function isSessionOpen(db: Db, sessionId: string): Promise<boolean> {
  return await hasRow(db)`
    select from session where id = ${sessionId} and revoked_at is null`;
}

/** Waits for chunks being written, so that none bills later (D70). */
export async function pauseJobsWithoutKeys({ db }: HasDb, accountId: string): Promise<void> {
  await sql`select pause_jobs_without_keys(${accountId})`.execute(db);
}

export async function replaceKey(
  db: Db,
  change: { readonly keyId: string; readonly by: string; readonly endsAtMs: number },
): Promise<void> {
  await sql`
    update api_key set session_id = (select session_id from api_key where id = ${change.keyId})
    where id = ${change.by}`.execute(db);
  await sql`
    update api_key set replaced_by = ${change.by},
      expires_at = least(expires_at, ${instant(change.endsAtMs)}::timestamptz)
    where id = ${change.keyId}`.execute(db);
}

const KEY_COLUMNS = sql`
  k.id, k.account_id as "accountId", k.name, k.prefix, k.kind, k.environment, k.permission, k.origins,
  floor(extract(epoch from k.created_at) * 1000)::float8 as "createdAtMs",
  floor(extract(epoch from k.expires_at) * 1000)::float8 as "expiresAtMs",
  floor(extract(epoch from k.revoked_at) * 1000)::float8 as "revokedAtMs",
  k.replaced_by as "replacedBy",
  floor(extract(epoch from u.last_used_at) * 1000)::float8 as "lastUsedAtMs",
  coalesce((
    select p.email from session s join account_person p on p.id = ${PERSON_OF(sql`s`)}
    where s.id = k.session_id
  ), (
    select a.who from operator_act a
    where a.account_id = k.account_id and a.act = 'key mint' and a.target = k.id limit 1
  )) as "madeBy"`;

const USED_KEYS = sql`api_key k left join api_key_use u on u.key_id = k.id`;
