/** Letters to those who pay, at a number of units (D216). */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import { firstValue } from '../db/rows.ts';
import type { Letters } from './letters.ts';

export type Alarms = ReturnType<typeof createAlarms>;

export function createAlarms({ db }: Pick<Store, 'db'>) {
  return {
    /** null: none is set. */
    read: async (accountId: string) => {
      return await firstValue<number | null>(db, null)`
        select units::float8 as units from account_alarm where account_id = ${accountId}`;
    },
    /** null removes it. A changed number is announced again in the same month. */
    set: async (accountId: string, units: number | null) => {
      await (
        units === null
          ? sql`delete from account_alarm where account_id = ${accountId}`
          : sql`
          insert into account_alarm as a (account_id, units) values (${accountId}, ${units})
          on conflict (account_id) do update set units = excluded.units,
            told_month = case when a.units = excluded.units then a.told_month end`
      ).execute(db);
    },
  };
}

/** Each is sent by one process, once a month; later, where letters wait. `month`: its first day. */
export async function tellAlarms(
  { db }: Pick<Store, 'db'>,
  letters: Pick<Letters, 'alarm'>,
  month: string,
): Promise<void> {
  const { rows } = await sql<{ id: string; name: string; units: number; emails: string[] }>`
    with due as (
      update account_alarm a set told_month = ${month}
      from usage_month m
      where m.account_id = a.account_id and m.environment = 'live' and m.month = ${month}::date
        and m.used >= a.units and a.told_month is distinct from ${month}
      returning a.account_id, a.units
    )
    select c.id, c.name, d.units::float8 as units, array_agg(p.email order by p.created_at, p.id) as emails
    from due d join account c on c.id = d.account_id and c.closed_at is null
      join account_person p on p.account_id = c.id and p.removed_at is null
        and p.roles && array['pays', 'administers']
    group by c.id, c.name, d.units`.execute(db);
  const unsent = rows.filter(
    ({ name, units, emails }) => !letters.alarm({ account: name, units, emails }),
  );
  if (unsent.length === 0) return;
  await sql`
    update account_alarm set told_month = null
    where account_id = any(${unsent.map(({ id }) => id)}) and told_month = ${month}`.execute(db);
}
