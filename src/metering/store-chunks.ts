/**
 * Units of a chunk of a job: set aside before it is worked on, counted in the transaction that writes
 * what was found. The same tables and the same order of locks as grants and folding (store-grants.ts,
 * store-fold.ts), so that jobs and single requests never pass a ceiling together (D60, D61).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tier } from '../account/plans.ts';
import type { Database } from '../db/tables.generated.ts';
import { thresholdsCrossed } from './store-fold.ts';
import type { GrantKey } from './store-grants.ts';

type Trx = Transaction<Database>;

export interface UnitsWanted extends GrantKey {
  /** Names what they are set aside for; whoever asks again under it replaces what it held. */
  readonly holder: string;
  readonly wanted: number;
  /** Units all may use together. */
  readonly ceiling: number;
}

export interface UnitsSetAside {
  /** 0: nothing is left. */
  readonly units: number;
  /** What others hold and may give back. */
  readonly others: number;
}

/** At most what is wanted and left. The month's row is held until the transaction ends. */
export async function setUnitsAside(trx: Trx, wish: UnitsWanted): Promise<UnitsSetAside> {
  const { accountId, environment, month, holder, wanted, ceiling } = wish;
  const { rows: months } = await sql<{ used: number }>`
    insert into usage_month as m (account_id, environment, month, used)
    values (${accountId}, ${environment}, ${month}::date, 0)
    on conflict (account_id, environment, month) do update set used = m.used
    returning used`.execute(trx);
  // Apart: only what is read while the row is held was true together with it.
  const { rows } = await sql<{ units: number; others: number }>`
    with held as (
      select coalesce(sum(granted - spent), 0)::bigint as others from usage_grant
      where account_id = ${accountId} and environment = ${environment}
        and month = ${month}::date and instance_id <> ${holder}
    ), share as (
      select others,
        least(${wanted}::bigint, ${ceiling}::bigint - ${months[0]?.used ?? 0}::bigint - others) as units
      from held
    ), kept as (
      insert into usage_grant as g
        (account_id, environment, month, instance_id, granted, revision)
      select ${accountId}, ${environment}, ${month}::date, ${holder}, units, 1 from share
      where units > 0
      on conflict (account_id, environment, month, instance_id) do update
        set granted = excluded.granted, spent = 0, revision = g.revision + 1
    )
    select units, others from share`.execute(trx);
  const { units, others } = rows[0] ?? { units: 0, others: 0 };
  return { units: Math.max(0, units), others };
}

export interface UnitsUsed extends GrantKey {
  readonly holder: string;
  readonly keyId: string;
  readonly operation: string;
  /** At most what was set aside. */
  readonly units: number;
  /** When, and on what day in Europe/Copenhagen; in the month they were set aside in. */
  readonly atMs: number;
  readonly day: string;
  readonly generation: number | null;
  /** Names the line on the bill, once: a journal of its own for each job, and a number in it. */
  readonly journal: string;
  readonly seq: number;
  readonly requestId: string;
  /** Live units a month by tier: crossing 80 % or 100 % of them is an event. */
  readonly allowances: readonly (readonly [Tier, number])[];
}

/** Ends what was set aside and counts what was used, in every table that counts. */
export async function countUnits(trx: Trx, used: UnitsUsed): Promise<void> {
  await giveUnitsBack(trx, used.holder);
  if (used.units === 0) return;
  const { accountId, environment, month, keyId, operation, units, atMs, day } = used;
  const { generation, journal, seq, requestId, allowances } = used;
  await sql`
    with month as (
      insert into usage_month as m (account_id, environment, month, used)
      values (${accountId}, ${environment}, ${month}::date, ${units})
      on conflict (account_id, environment, month) do update set used = m.used + excluded.used
      returning account_id, environment, month, used
    ), day as (
      insert into usage_day as d
        (account_id, day, key_id, operation, environment, units, requests)
      select ${accountId}, ${day}::date, ${keyId}, ${operation}, ${environment}, ${units}::bigint, 1
      where (select count(*) from month) > 0
      on conflict (account_id, day, key_id, operation, environment) do update
        set units = d.units + excluded.units, requests = d.requests + excluded.requests
      returning 1
    ), kept as (
      insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment,
        units, generation, request_id)
      select ${journal}, ${seq}, to_timestamp(${atMs}::bigint / 1000.0), ${day}::date, ${accountId},
        ${keyId}, ${operation}, ${environment}, ${units}::integer, ${generation}::bigint, ${requestId}
      where (select count(*) from day) > 0
    ), event as (${thresholdsCrossed({ atMs, allowances })})
    select 1`.execute(trx);
}

/** What was set aside under a name goes back. */
export async function giveUnitsBack(trx: Trx, holder: string): Promise<void> {
  await sql`delete from usage_grant where instance_id = ${holder}`.execute(trx);
}
