import type { Store, Trx } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { storableText } from '../kernel/text.ts';
import {
  findAccount,
  insertAccount,
  listAccounts,
  lockAccount,
  recordEvents,
  updateAccount,
} from './account-store.ts';
import type { Account, AccountChange } from './account-store.ts';
import { newId } from './ids.ts';
import { pauseJobsWithoutKeys, readRevision, revokeKeys } from './key-store.ts';
import type { Tier } from './plans.ts';
import type { Principal } from './principal.ts';
import { endSessions } from './session-store.ts';

/** Called after each committed change. */
export type OnChange = (revision: number, touches: (principal: Principal) => boolean) => void;

export interface AccountDeps {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly onChange: OnChange;
}

interface NewAccount extends Pick<Account, 'name' | 'email' | 'tier'> {
  /** Absent: a new one. */
  readonly id?: string | null;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Each throws `not_found` for an unknown account, `conflict` for a closed one. */
export function createAccounts(deps: AccountDeps) {
  const { store, clock } = deps;
  const change = (id: string, wanted: AccountChange) =>
    changeAccount(deps, id, async (db, account) => {
      await updateAccount(db, id, wanted);
      return { ...account, ...wanted };
    });
  return {
    /** Throws `conflict` when an open account has the address. */
    create: async ({ id, name, email, tier }: NewAccount): Promise<Account> => {
      const account = {
        id: id ?? newId('account'),
        name: checkedName(name),
        email: checkedEmail(email),
        tier,
        createdAtMs: clock.nowMs(),
      };
      if (!(await insertAccount(store.db, account))) {
        throw new Failure('conflict', {
          error: 'An open account has this e-mail address already.',
          errorDa: 'En åben konto har allerede denne e-mailadresse.',
        });
      }
      return { ...account, capUnits: null, isOperator: false, closedAtMs: null };
    },
    find: (named: string) => findAccount(store.db, named),
    list: () => listAccounts(store.db),
    setTier: (id: string, tier: Tier) =>
      changeAccount(deps, id, async (db, account) => {
        if (account.tier === tier) return account;
        await updateAccount(db, id, { tier });
        const events = [{ event: 'subscription.updated', data: { tier } } as const];
        await recordEvents(db, id, { events, atMs: clock.nowMs() });
        return { ...account, tier };
      }),
    setCap: async (id: string, capUnits: number | null) =>
      change(id, { capUnits: checkedCap(capUnits) }),
    setOperator: (id: string, isOperator: boolean) => change(id, { isOperator }),
    /** Irreversible: also ends its keys and sessions. */
    close: (id: string) => {
      const closedAtMs = clock.nowMs();
      return endKeys(deps, id, async (db, account) => {
        await updateAccount(db, id, { closedAtMs });
        await revokeKeys(db, { accountId: id, atMs: closedAtMs });
        await endSessions(db, { accountId: id, atMs: closedAtMs });
        return { ...account, closedAtMs };
      });
    },
  };
}

/** Notifies the key ring. Writes nothing when `work` throws. */
export async function changeAccount<T>(
  { store, onChange }: AccountDeps,
  id: string,
  work: (db: Trx, account: Account) => Promise<T>,
): Promise<T> {
  const { result, revision } = await store.db.transaction().execute(async (db) => {
    const account = await lockAccount(db, id);
    if (account === null) throw noSuchAccount();
    if (account.closedAtMs !== null) throw accountIsClosed();
    return { result: await work(db, account), revision: await readRevision({ db }) };
  });
  onChange(revision, ({ accountId }) => accountId === id);
  return result;
}

/** Serializes an account's changes, so that limits hold. */
export async function withAccount<T>(
  { db }: Pick<Store, 'db'>,
  id: string,
  work: (db: Trx) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, id);
    if (account === null || account.closedAtMs !== null) throw noSuchAccount();
    return await work(trx);
  });
}

/**
 * Pauses the keys' jobs in another transaction: a chunk locks its job and may wait for the account.
 */
export async function endKeys<T>(
  deps: AccountDeps,
  id: string,
  work: (db: Trx, account: Account) => Promise<T>,
): Promise<T> {
  const result = await changeAccount(deps, id, work);
  await pauseJobsWithoutKeys(deps.store, id).catch(() => undefined);
  return result;
}

export function noSuchAccount(): Failure {
  return new Failure('not_found', {
    error: 'There is no such account.',
    errorDa: 'Kontoen findes ikke.',
  });
}

function accountIsClosed(): Failure {
  return new Failure('conflict', {
    error: 'The account is closed.',
    errorDa: 'Kontoen er lukket.',
  });
}

/** Trims, and removes characters that a text column rejects. */
export function checkedName(given: string): string {
  const name = storableText(given.trim());
  const { min, max } = ACCOUNT_LIMITS.accountNameChars;
  if (name.length >= min && name.length <= max) return name;
  throw new Failure('invalid_request', {
    error: `name must have ${min} to ${max} characters.`,
    errorDa: `name skal have ${min} til ${max} tegn.`,
  });
}

/** No mail header reads this as several addresses. */
const PART = '[^\\s\\u0000-\\u001f\\u007f@,;:<>()\\[\\]"\\\\]+';
export const EMAIL = `^\\s*${PART}@${PART}\\s*$`;

/** Something@something: only a letter proves more. */
export function checkedEmail(given: string): string {
  const email = given.trim();
  const { min, max } = ACCOUNT_LIMITS.emailChars;
  const fits = email.length >= min && email.length <= max;
  if (fits && email.isWellFormed() && new RegExp(EMAIL, 'u').test(email)) return email;
  throw new Failure('invalid_request', {
    error: `email must be an e-mail address of at most ${max} characters.`,
    errorDa: `email skal være en e-mailadresse på højst ${max} tegn.`,
  });
}

function checkedCap(capUnits: number | null): number | null {
  if (capUnits === null || (Number.isSafeInteger(capUnits) && capUnits >= 0)) return capUnits;
  throw new Failure('invalid_request', {
    error: 'cap must be a whole number of units, 0 or more.',
    errorDa: 'cap skal være et helt antal enheder, 0 eller flere.',
  });
}
