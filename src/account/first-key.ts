import type { Store, Trx } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { findFirstAccount, insertAccount, lockWhileEmpty, lockRevision } from './account-store.ts';
import { newId } from './ids.ts';
import { hasWorkingKey } from './key-store.ts';
import { mintIn } from './keys.ts';
import type { MintedKey } from './keys.ts';

const TRIAL = { name: 'Prøvekonto', email: 'proevekonto@localhost', tier: 'pro' } as const;

export interface KeyState {
  /** Named as in commands; null: no open account. */
  readonly account: string | null;
  readonly hasKey: boolean;
}

/** null: the store does not answer. */
export async function keyStateOf(
  { db }: Pick<Store, 'db'>,
  clock: Clock,
): Promise<KeyState | null> {
  try {
    const account = await findFirstAccount(db);
    return { account: nameOf(account), hasKey: await hasWorkingKey(db, clock.nowMs()) };
  } catch {
    return null;
  }
}

/** Shows no personal addresses. */
function nameOf(account: { readonly id: string; readonly email: string } | null): string | null {
  return account?.email === TRIAL.email ? TRIAL.email : (account?.id ?? null);
}

export function keyCommand(state: KeyState | null): string {
  const rest = state?.hasKey === true ? `key mint ${state.account} --test` : 'first-key';
  return `npm run admin -- ${rest}`;
}

/** A test key on the plan `pro`; null when any account exists. */
export async function mintFirstKey(
  { db }: Pick<Store, 'db'>,
  clock: Clock,
): Promise<string | null> {
  return await db.transaction().execute(async (transaction) => {
    if (!(await lockWhileEmpty(transaction))) return null;
    return (await mintTestKey(transaction, clock, await openTrial(transaction, clock))).secret;
  });
}

/**
 * A test key of the oldest open account, created if need be; null when any key works, except the
 * open trial's and those of sessions.
 */
export async function mintMissingKey(
  { db }: Pick<Store, 'db'>,
  clock: Clock,
): Promise<MintedKey | null> {
  return await db.transaction().execute(async (transaction) => {
    await lockRevision(transaction);
    if (await hasWorkingKey(transaction, clock.nowMs())) return null;
    const account = await findFirstAccount(transaction);
    return await mintTestKey(
      transaction,
      clock,
      account?.id ?? (await openTrial(transaction, clock)),
    );
  });
}

async function openTrial(db: Trx, clock: Clock): Promise<string> {
  const id = newId('account');
  await insertAccount(db, { id, ...TRIAL, createdAtMs: clock.nowMs() });
  return id;
}

async function mintTestKey(db: Trx, clock: Clock, accountId: string): Promise<MintedKey> {
  return await mintIn(
    db,
    { clock },
    {
      accountId,
      name: 'Første prøvenøgle',
      kind: 'secret',
      environment: 'test',
      permission: 'jobs',
      origins: [],
    },
  );
}
