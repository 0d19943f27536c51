/** Limits letters (D216), exactly across processes. */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { instant } from '../kernel/clock.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import { ACCOUNT_LIMITS } from './limits.ts';

export interface Asked {
  readonly email: string;
  /** A client's network, or the inviting account. */
  readonly by: string;
}

/** Never rejects. */
export type GiveBack = () => Promise<void>;

/** Throws `rate_limited`; treats known and unknown addresses alike. */
export async function takeLetter(
  { store, clock }: { readonly store: Pick<Store, 'db'>; readonly clock: Clock },
  { email, by }: Asked,
): Promise<GiveBack> {
  const { perAddress, perNetwork, total, windowMs } = ACCOUNT_LIMITS.letters;
  const nowMs = clock.nowMs();
  const now = sql`${instant(nowMs)}::timestamptz`;
  const over = sql`${instant(nowMs - windowMs)}::timestamptz`;
  // In one order against deadlocks.
  const limits = [
    ['all', total],
    [`by ${by}`, perNetwork],
    [`to ${email.trim().toLowerCase()}`, perAddress],
  ] as const;
  const subjects = limits.map(([text, most]) => [hash('sha256', text, 'buffer'), most] as const);
  await store.db.transaction().execute(async (db) => {
    for (const [subject, most] of subjects) {
      const { rows } = await sql`
        insert into mail_allowance as m (subject, began_at, used)
        values (${subject}, ${now}, 1)
        on conflict (subject) do update set
          began_at = case when m.began_at <= ${over} then ${now} else m.began_at end,
          used = case when m.began_at <= ${over} then 1 else m.used + 1 end
        where m.began_at <= ${over} or m.used < ${most}
        returning used`.execute(db);
      if (rows.length === 0) throw tooMany(windowMs);
    }
    await sql`delete from mail_allowance where began_at <= ${over}`.execute(db);
  });
  return async () => {
    for (const [subject] of subjects) {
      await sql`update mail_allowance set used = used - 1
        where subject = ${subject} and used > 0 and began_at <= ${now}`
        .execute(store.db)
        .catch(() => undefined);
    }
  };
}

function tooMany(windowMs: number): Failure {
  return new Failure('rate_limited', {
    error: 'Too many letters were asked for. Try again after Retry-After.',
    errorDa: 'Der er bedt om for mange breve. Prøv igen efter Retry-After.',
    retryAfterS: windowMs / 1000,
  });
}
