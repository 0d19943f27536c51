import type { Trx } from '../db/connect.ts';
import { Failure } from '../kernel/failures.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { recordEvents } from './account-store.ts';
import { changeAccount, checkedName, endKeys } from './accounts.ts';
import type { AccountDeps } from './accounts.ts';
import { newId } from './ids.ts';
import { digestOf, newSecret, prefixOf } from './key-format.ts';
import type { KeyKind } from './key-format.ts';
import {
  countKeys,
  insertKey,
  listKeys,
  ownerOf,
  readKey,
  replaceKey,
  isSessionOpen,
  revokeKeys,
} from './key-store.ts';
import type { ApiKey } from './key-store.ts';
import { parseAllowedOrigin } from './origins.ts';
import { parsePermission } from './permissions.ts';
import type { Permission } from './permissions.ts';
import type { Environment } from './plans.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Of public keys (interface: Authentication). */
const PUBLIC_PERMISSION: Permission = 'restricted:adresser';

export interface NewKey {
  readonly name: string;
  readonly kind: KeyKind;
  readonly environment: Environment;
  /** Default: `read`; for a public key its only permission. */
  readonly permission?: string;
  /** 1 to 20 for a public key, none for a secret one. */
  readonly origins?: readonly string[];
  /** Absent: no automatic end. */
  readonly session?: KeySession;
}

export interface KeySession {
  readonly id: string;
  readonly expiresAtMs: number;
}

export interface MintedKey {
  readonly key: ApiKey;
  /** Returned only here. */
  readonly secret: string;
}

export interface Rotation {
  readonly old: ApiKey;
  readonly minted: MintedKey;
}

export type Keys = ReturnType<typeof createKeys>;

/** Each throws `not_found` for an unknown key or account. */
export function createKeys(deps: AccountDeps) {
  const { store, clock } = deps;
  return {
    /** Throws `invalid_request`, or `conflict` for too many keys. */
    mint: async (accountId: string, wanted: NewKey) => {
      const { session } = wanted;
      const ends = { sessionId: session?.id ?? null, expiresAtMs: session?.expiresAtMs ?? null };
      const checked = { ...checkedKey(wanted), ...ends };
      return changeAccount(deps, accountId, (db) => mintIn(db, deps, { accountId, ...checked }));
    },
    /** Throws `conflict` for an ended or replaced key. */
    rotate: async (accountId: string, keyId: string, overlapHours?: number) => {
      const overlapMs = checkedOverlap(overlapHours) * HOUR_MS;
      const change = overlapMs === 0 ? endKeys : changeAccount;
      return change(deps, accountId, (db) => rotateIn(db, deps, { accountId, keyId, overlapMs }));
    },
    /** Immediate everywhere; pauses its jobs. Idempotent. */
    revoke: (accountId: string, keyId: string) =>
      endKeys(deps, accountId, async (db) => {
        await revokeKeys(db, { accountId, keyId, atMs: clock.nowMs() });
        return await existing(db, { accountId, keyId });
      }),
    list: (accountId: string) =>
      listKeys(store, accountId, { nowMs: clock.nowMs(), ended: ACCOUNT_LIMITS.keysEndedListed }),
    ownerOf: (keyId: string) => ownerOf(store.db, keyId),
  };
}

type CheckedKey = Pick<ApiKey, 'name' | 'kind' | 'environment' | 'permission' | 'origins'>;

interface WantedKey extends CheckedKey {
  readonly accountId: string;
  readonly expiresAtMs?: number | null;
  readonly sessionId?: string | null;
}

/** Call with the account locked, so that counts are exact. */
export async function mintIn(
  db: Trx,
  { clock }: Pick<AccountDeps, 'clock'>,
  { accountId, expiresAtMs = null, sessionId = null, ...wanted }: WantedKey,
): Promise<MintedKey> {
  const createdAtMs = clock.nowMs();
  await refuseTooMany(db, accountId, createdAtMs);
  // Signing out ends the session, then its keys under the account's lock: none escapes.
  if (sessionId !== null && !(await isSessionOpen(db, sessionId))) throw sessionIsOver();
  const secret = newSecret(wanted);
  const shown = { id: newId('key'), accountId, prefix: prefixOf(secret), createdAtMs, expiresAtMs };
  await insertKey(db, { ...wanted, ...shown, sessionId, digest: digestOf(secret) });
  const { name, permission } = wanted;
  const data = { key_id: shown.id, name, permission, prefix: shown.prefix };
  await recordEvents(db, accountId, {
    events: [{ event: 'key.created', data }],
    atMs: createdAtMs,
  });
  const later = { revokedAtMs: null, replacedBy: null, lastUsedAtMs: null, madeBy: null };
  return { key: { ...wanted, ...shown, ...later }, secret };
}

async function rotateIn(
  db: Trx,
  { clock }: AccountDeps,
  ask: { readonly accountId: string; readonly keyId: string; readonly overlapMs: number },
): Promise<Rotation> {
  const nowMs = clock.nowMs();
  const old = await existing(db, ask);
  refuseEnded(old, nowMs);
  const { accountId, name, kind, environment, permission, origins, expiresAtMs } = old;
  const same = { accountId, name, kind, environment, permission, origins, expiresAtMs };
  const minted = await mintIn(db, { clock }, same);
  const endsAtMs = nowMs + ask.overlapMs;
  await replaceKey(db, { keyId: old.id, by: minted.key.id, endsAtMs });
  if (ask.overlapMs === 0) await revokeKeys(db, { ...ask, atMs: nowMs });
  return { old: await existing(db, ask), minted };
}

async function existing(
  db: Trx,
  which: { readonly accountId: string; readonly keyId: string },
): Promise<ApiKey> {
  const key = await readKey(db, which);
  if (key !== null) return key;
  throw noSuchKey();
}

export function noSuchKey(): Failure {
  return new Failure('not_found', {
    error: 'The account has no such key.',
    errorDa: 'Kontoen har ingen sådan nøgle.',
  });
}

function refuseEnded(key: ApiKey, nowMs: number): void {
  const expired = key.expiresAtMs !== null && key.expiresAtMs <= nowMs;
  if (key.revokedAtMs !== null || expired) {
    throw new Failure('conflict', {
      error: 'The key has ended: make a new one instead.',
      errorDa: 'Nøglen er ophørt: lav en ny i stedet.',
    });
  }
  if (key.replacedBy === null) return;
  throw new Failure('conflict', {
    error: `The key has been replaced already, by ${key.replacedBy}.`,
    errorDa: `Nøglen er allerede udskiftet, med ${key.replacedBy}.`,
  });
}

function sessionIsOver(): Failure {
  return new Failure('unauthorized', {
    error: 'The session has ended: sign in again.',
    errorDa: 'Sessionen er udløbet: log ind igen.',
    code: 'session_ended',
  });
}

async function refuseTooMany(db: Trx, accountId: string, nowMs: number): Promise<void> {
  const { working, recent } = await countKeys(db, accountId, { nowMs, sinceMs: nowMs - DAY_MS });
  const { keysPerAccount, keysPerDay } = ACCOUNT_LIMITS;
  if (working >= keysPerAccount) {
    throw new Failure('conflict', {
      error: `An account has at most ${keysPerAccount} working keys: revoke one first.`,
      errorDa: `En konto har højst ${keysPerAccount} nøgler i brug: tilbagekald en først.`,
    });
  }
  if (recent >= keysPerDay) {
    throw new Failure('rate_limited', {
      error: `At most ${keysPerDay} keys can be made in a day.`,
      errorDa: `Der kan højst laves ${keysPerDay} nøgler på et døgn.`,
      retryAfterS: HOUR_MS / 1000,
    });
  }
}

function checkedKey({ name, kind, environment, permission, origins = [] }: NewKey): CheckedKey {
  return {
    name: checkedName(name),
    kind,
    environment,
    permission: checkedPermission(kind, permission),
    origins: kind === 'public' ? checkedOrigins(origins) : noOrigins(origins),
  };
}

function checkedPermission(kind: KeyKind, given: string | undefined): Permission {
  if (kind === 'public') {
    if (given === undefined || given === PUBLIC_PERMISSION) return PUBLIC_PERMISSION;
    throw new Failure('invalid_request', {
      error: `permission: a public key has ${PUBLIC_PERMISSION} and no other.`,
      errorDa: `permission: en offentlig nøgle har ${PUBLIC_PERMISSION} og ingen anden.`,
    });
  }
  const permission = parsePermission(given ?? 'read');
  if (permission !== null) return permission;
  throw new Failure('invalid_request', {
    error: 'permission must be read, jobs or restricted:<area,…>.',
    errorDa: 'permission skal være read, jobs eller restricted:<område,…>.',
  });
}

function checkedOrigins(given: readonly string[]): readonly string[] {
  const { min, max } = ACCOUNT_LIMITS.keyOrigins;
  if (given.length < min || given.length > max) {
    throw new Failure('invalid_request', {
      error: `origins: a public key has ${min} to ${max}.`,
      errorDa: `origins: en offentlig nøgle har ${min} til ${max}.`,
    });
  }
  const origins = given.map((text, index) => {
    const origin = parseAllowedOrigin(text);
    if (origin !== null) return origin;
    throw new Failure('invalid_request', {
      error: `origins[${index}] must be a host such as example.dk, *.example.dk or localhost:5173, or an address such as https://example.dk without a path.`,
      errorDa: `origins[${index}] skal være en vært som example.dk, *.example.dk eller localhost:5173 eller en adresse som https://example.dk uden sti.`,
    });
  });
  return [...new Set(origins)];
}

function noOrigins(given: readonly string[]): readonly string[] {
  if (given.length === 0) return [];
  throw new Failure('invalid_request', {
    error: 'origins: only a public key has them.',
    errorDa: 'origins: kun en offentlig nøgle har dem.',
  });
}

function checkedOverlap(given: number | undefined): number {
  const { min, max, default: usual } = ACCOUNT_LIMITS.keyOverlapHours;
  const hours = given ?? usual;
  if (Number.isInteger(hours) && hours >= min && hours <= max) return hours;
  throw new Failure('invalid_request', {
    error: `overlap_hours must be a whole number from ${min} to ${max}.`,
    errorDa: `overlap_hours skal være et helt tal fra ${min} til ${max}.`,
  });
}
