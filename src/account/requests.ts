/** An operator decides requests on the command line (D217). */
import { sql } from 'kysely';
import { allRows } from '../db/rows.ts';
import type { Store } from '../db/connect.ts';
import { instant } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import { storableText } from '../kernel/text.ts';
import { checkedEmail, checkedName } from './accounts.ts';
import type { AccountDeps } from './accounts.ts';
import { newId } from './ids.ts';
import { ACCOUNT_LIMITS } from './limits.ts';
import { takeLetter } from './mail-allowance.ts';

export interface WantedAccount {
  readonly name: string;
  readonly email: string;
  readonly purpose: string;
}

export type AccountRequest = WantedAccount & { readonly id: string; readonly askedAtMs: number };

export type AccountRequests = ReturnType<typeof createAccountRequests>;

export function createAccountRequests(deps: Pick<AccountDeps, 'store' | 'clock'>) {
  const { store, clock } = deps;
  const { db } = store;
  const openOnes = async () => {
    return await allRows<AccountRequest>(db)`
      select id, name, email, purpose,
        floor(extract(epoch from asked_at) * 1000)::float8 as "askedAtMs"
      from account_request where decided_at is null order by asked_at, id`;
  };
  return {
    /** Throws `rate_limited`, or `overloaded` when too many are open. */
    ask: async (wanted: WantedAccount, client: string) => {
      const name = checkedName(wanted.name);
      const email = checkedEmail(wanted.email);
      await takeLetter(deps, { email, by: client });
      const nowMs = clock.nowMs();
      await forget(store, nowMs);
      const { rows } = await sql`
        insert into account_request (id, name, email, purpose, asked_at)
        select ${newId('request')}, ${name}, ${email}, ${storableText(wanted.purpose.trim())},
          ${instant(nowMs)}::timestamptz
        where (select count(*) from account_request where decided_at is null) <
          ${ACCOUNT_LIMITS.requests.open}
        on conflict do nothing returning id`.execute(db);
      if (rows.length === 0) refuseFull(await openOnes());
    },
    /** Oldest first. */
    list: openOnes,
    /** Throws `not_found` unless it is open. */
    find: async (id: string) => {
      const found = (await openOnes()).find((request) => request.id === id);
      if (found !== undefined) return found;
      throw new Failure('not_found', { error: 'There is no open request of this id.' });
    },
    /** `accountId` null: declined. */
    decide: async (id: string, accountId: string | null) => {
      await sql`update account_request
        set decided_at = ${instant(clock.nowMs())}::timestamptz, account_id = ${accountId}
        where id = ${id} and decided_at is null`.execute(db);
    },
  };
}

/** An address with an open request may repeat it. */
function refuseFull(open: readonly AccountRequest[]): void {
  if (open.length < ACCOUNT_LIMITS.requests.open) return;
  throw new Failure('overloaded', {
    error: 'Too many requests for an account are open. Try again another day.',
    errorDa: 'For mange anmodninger om en konto er åbne. Prøv igen en anden dag.',
    retryAfterS: 86_400,
  });
}

async function forget({ db }: Pick<Store, 'db'>, nowMs: number): Promise<void> {
  const before = sql`${instant(nowMs - ACCOUNT_LIMITS.requests.keptMs)}::timestamptz`;
  await sql`delete from account_request
    where coalesce(decided_at, asked_at) < ${before}`.execute(db);
}
