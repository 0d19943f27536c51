import { sql } from 'kysely';
import { allRows } from '../db/rows.ts';
import type { Store } from '../db/connect.ts';
import type { Environment } from '../account/plans.ts';

export interface GrantKey {
  readonly accountId: string;
  readonly environment: Environment;
  readonly month: string;
}

export interface GrantQuestion extends GrantKey {
  readonly granted: number;
  /** Increases with every write. */
  readonly revision: number;
  readonly ceiling: number;
  readonly choose: (available: number) => number;
}

export interface GrantAnswer {
  readonly lease: number;
  readonly available: number;
  readonly others: number;
  readonly spent: number;
}

/** May have granted even if it throws: the next write of `granted` corrects that. */
export async function acquireGrant(
  store: Pick<Store, 'db'>,
  instance: string,
  question: GrantQuestion,
): Promise<GrantAnswer> {
  const { accountId, environment, month, granted, revision, ceiling } = question;
  return await store.db.transaction().execute(async (trx) => {
    const { rows: months } = await sql<{ used: number }>`
      insert into usage_month as m (account_id, environment, month, used)
      values (${accountId}, ${environment}, ${month}::date, 0)
      on conflict (account_id, environment, month) do update set used = m.used
      returning used`.execute(trx);
    const { rows: grants } = await sql<{ others: number; spent: number }>`
      select
        coalesce(sum(granted - spent) filter (where instance_id <> ${instance}), 0)::bigint as others,
        coalesce(sum(spent) filter (where instance_id = ${instance}), 0)::bigint as spent
      from usage_grant
      where account_id = ${accountId} and environment = ${environment}
        and month = ${month}::date`.execute(trx);
    const used = months[0]?.used ?? 0;
    const { others, spent } = grants[0] ?? { others: 0, spent: 0 };
    const available = ceiling - used - others - (granted - spent);
    const lease = question.choose(available);
    if (lease > 0) {
      const { rows } = await sql`
        insert into usage_grant as g
          (account_id, environment, month, instance_id, granted, revision)
        values (${accountId}, ${environment}, ${month}::date, ${instance}, ${granted + lease},
          ${revision})
        on conflict (account_id, environment, month, instance_id) do update
          set granted = excluded.granted, revision = excluded.revision
          where g.revision < excluded.revision
        returning 1`.execute(trx);
      if (rows.length === 0) throw new Error('A grant was written out of turn.');
    }
    return { lease, available, others, spent };
  });
}

export interface MonthTaken {
  readonly taken: number;
  /** The part that other processes hold and may return. */
  readonly others: number;
}

export interface MonthRow extends MonthTaken {
  readonly accountId: string;
  readonly environment: Environment;
}

/** Highest first, of one moment. */
export async function readMonths(
  store: Pick<Store, 'db'>,
  instance: string,
  { month, most }: { readonly month: string; readonly most: number },
): Promise<readonly MonthRow[]> {
  return await allRows<MonthRow>(store.db)`
    select account_id as "accountId", environment, sum(taken)::bigint as taken,
      sum(others)::bigint as others
    from (
      select account_id, environment, used as taken, 0 as others
      from usage_month where month = ${month}::date
      union all
      select account_id, environment, granted - spent,
        case when instance_id = ${instance} then 0 else granted - spent end
      from usage_grant where month = ${month}::date
    ) parts
    group by 1, 2 order by 3 desc limit ${most}`;
}

export type GrantState = GrantKey & Pick<GrantQuestion, 'granted' | 'revision'>;

/** Deletes used-up grants of past months. */
export async function writeGrants(
  store: Pick<Store, 'db'>,
  instance: string,
  states: readonly GrantState[],
): Promise<void> {
  await sql`
    update usage_grant g set granted = r.granted, revision = r.revision
    from unnest(
      ${states.map(({ accountId }) => accountId)}::text[],
      ${states.map(({ environment }) => environment)}::text[],
      ${states.map(({ month }) => month)}::date[],
      ${states.map(({ granted }) => granted)}::bigint[],
      ${states.map(({ revision }) => revision)}::bigint[]
    ) as r (account_id, environment, month, granted, revision)
    where g.instance_id = ${instance} and g.account_id = r.account_id
      and g.environment = r.environment and g.month = r.month
      and g.revision < r.revision`.execute(store.db);
}

/** Requires that the process's journals are folded. */
export async function releaseGrants(store: Pick<Store, 'db'>, instance: string): Promise<void> {
  await sql`
    with gone as (delete from usage_grant where instance_id = ${instance})
    update usage_instance
    set ended_at = coalesce(ended_at, now()), settled = true, applied_instances = 0
    where id = ${instance}`.execute(store.db);
}
