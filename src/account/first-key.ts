/** A store without any account gets one to try the service with. */
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import { hasAccount, insertAccount, lockWhileEmpty } from './account-store.ts';
import { newId } from './ids.ts';
import { mintIn } from './keys.ts';

/** Whether anybody has an account; null: the store does not say. */
export async function hasAccounts({ db }: Pick<Store, 'db'>): Promise<boolean | null> {
  return await hasAccount(db).catch(() => null);
}

/**
 * The secret of a fresh test key of a fresh account on the plan `pro`, once: null when there is any
 * account already. Of several programs that start together, one makes it.
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
