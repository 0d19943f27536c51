/** Creates an account and key in an empty store, to try the service. */
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { hasAccount, insertAccount, lockWhileEmpty } from './account-store.ts';
import { newId } from './ids.ts';
import { mintIn } from './keys.ts';

/** null: the store does not answer. */
export async function hasAccounts({ db }: Pick<Store, 'db'>): Promise<boolean | null> {
  return await hasAccount(db).catch(() => null);
}

/**
 * The secret of a new test key of a new account on the plan `pro`; null when any account exists. Of
 * several programs that start together, one creates it.
 */
export async function mintFirstKey(
  { db }: Pick<Store, 'db'>,
  clock: Clock,
): Promise<string | null> {
  return await db.transaction().execute(async (transaction) => {
    if (!(await lockWhileEmpty(transaction))) return null;
    const id = newId('account');
    await insertAccount(transaction, {
      id,
      name: 'Prøvekonto',
      email: 'proevekonto@localhost',
      tier: 'pro',
      createdAtMs: clock.nowMs(),
    });
    const { secret } = await mintIn(
      transaction,
      { clock },
      {
        accountId: id,
        name: 'Første prøvenøgle',
        kind: 'secret',
        environment: 'test',
        permission: 'jobs',
        origins: [],
      },
    );
    return secret;
  });
}
