/**
 * Works in short transactions, for which lookups, folding and jobs never wait (D156, D200). Run by
 * the leader of the syncs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { allRows } from '../db/rows.ts';
import type { Store } from '../db/connect.ts';
import { monotonicClock } from '../kernel/clock.ts';
import type { Retained, RetentionDays } from '../kernel/retention.ts';
import { OPS_LIMITS } from './limits.ts';

interface Step {
  readonly since: RawBuilder<unknown>;
  readonly rows: number;
}

/** Each act proves the next; rows that refer to a key or event have no index by it. */
const MOST: Readonly<Partial<Record<Retained, number>>> = {
  ...{ operator_act: 1, api_key: 50, account_event: 100, layer_history: 1 },
};

/**
 * No step reads a table that grows: each goes by account, by an index of time, or takes the oldest
 * by a rising number.
 */
const STEPS: Readonly<Record<Retained, (step: Step) => RawBuilder<unknown>>> = {
  usage_line: ({ since, rows }) => sql`
    delete from usage_line where ctid = any(array(
      select l.ctid from account a cross join lateral (
        select ctid from usage_line l
        where l.account_id = a.id and l.at < ${since} limit ${rows}) l
      limit ${rows}))`,
  usage_day: ({ since, rows }) => sql`
    delete from usage_day where ctid = any(array(
      select d.ctid from account a cross join lateral (
        select ctid from usage_day d
        where d.account_id = a.id and d.day < (${since})::date limit ${rows}) d
      limit ${rows}))`,
  usage_month: ({ since, rows }) => sql`
    delete from usage_month where ctid = any(array(
      select m.ctid from account a cross join lateral (
        select ctid from usage_month m
        where m.account_id = a.id and m.month < (${since})::date - 31 limit ${rows}) m
      limit ${rows}))`,
  usage_journal: ({ rows }) => sql`
    delete from usage_journal where journal in (
      select j.journal from usage_journal j
      where j.lines > 0 and not exists (select from usage_instance i where i.id = j.instance_id)
        and not exists (select from usage_line l where l.journal = j.journal)
      limit ${rows})`,
  account_event: ({ since, rows }) => sql`
    delete from account_event where id in (
      select id from (select id, created_at from account_event order by id limit ${rows}) e
      where created_at < ${since}
        and not exists (select from webhook_delivery d where d.event_id = e.id))`,
  operator_act: ({ since }) => sql`
    delete from operator_act where id = (select min(id) from operator_act) and at < ${since}`,
  api_key_use: ({ since, rows }) => sql`
    delete from api_key_use where key_id in (
      select u.key_id from api_key_use u join api_key k on k.id = u.key_id
      where least(k.revoked_at, k.expires_at) < ${since} and u.last_used_at < ${since}
      limit ${rows})`,
  api_key: ({ since, rows }) => sql`
    delete from api_key where id in (
      select k.id from api_key k where least(k.revoked_at, k.expires_at) < ${since}
        and not exists (select from job j where j.key_id = k.id)
        and not exists (select from api_key other where other.replaced_by = k.id)
      limit ${rows})`,
  job: ({ since, rows }) => sql`
    delete from job where id in (
      select id from job where completed_at < ${since} and rows_deleted_at is not null
      order by completed_at limit ${rows} for update skip locked)`,
  sync_run: ({ since, rows }) => sql`
    delete from sync_run where id in (
      select id from (select id, layer, ended_at from sync_run order by id limit ${rows}) r
      where ended_at < ${since} and id not in (
        select l.id from unnest(array(select distinct layer from sync_run)) as layers(name)
        cross join lateral (
          (select id from sync_run where layer = name order by id desc
            limit ${OPS_LIMITS.runsKept})
          union all
          (select id from sync_run where layer = name and state = 'published' order by id desc
            limit ${OPS_LIMITS.runsKept})) l))`,
  layer_history: ({ since }) => sql`
    select sweep_history(${since}, ${OPS_LIMITS.historyRows}::bigint, ${OPS_LIMITS.sweepRows}::integer) as removed`,
};

export interface SweepOptions {
  readonly store: Pick<Store, 'db'>;
  readonly days: RetentionDays;
  readonly signal?: AbortSignal | undefined;
  /** Called when a table's step failed; the others continue. */
  readonly onFailed?: (table: Retained, error: unknown) => void;
  readonly rows?: number;
}

/** One round, within each table's time limit. Never rejects. */
export async function sweep(options: SweepOptions): Promise<void> {
  for (const table of Object.keys(STEPS) as Retained[]) {
    try {
      await sweepTable(options, table);
    } catch (error) {
      if (options.signal?.aborted === true) return;
      options.onFailed?.(table, error);
    }
  }
}

async function sweepTable(
  { store, days, signal, rows = OPS_LIMITS.sweepRows }: SweepOptions,
  table: Retained,
): Promise<void> {
  const untilMs = monotonicClock.nowMs() + OPS_LIMITS.sweepTableMs;
  const most = Math.min(rows, MOST[table] ?? rows);
  for (;;) {
    signal?.throwIfAborted();
    const startMs = monotonicClock.nowMs();
    if (startMs > untilMs) return;
    const removed = await takeStep(store, table, { days: days[table], rows: most });
    if (removed < most) return;
    // At most half of one connection's time.
    await sleep(monotonicClock.nowMs() - startMs, undefined, { signal, ref: false });
  }
}

interface Removed {
  readonly removed: number;
}

async function takeStep(
  { db }: Pick<Store, 'db'>,
  table: Retained,
  { days, rows }: { readonly days: number; readonly rows: number },
): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('statement_timeout', ${String(OPS_LIMITS.sweepStepMs)}, true),
      set_config('lock_timeout', ${String(OPS_LIMITS.sweepLockMs)}, true)`.execute(trx);
    const since = sql`(now() - make_interval(days => ${days}))`;
    const done = await (STEPS[table]({ since, rows }) as RawBuilder<Removed>).execute(trx);
    const removed = Number(done.numAffectedRows ?? done.rows[0]?.removed ?? 0);
    await sql`
      insert into retention_sweep as s (name, removed, swept_at) values (${table}, ${removed}, now())
      on conflict (name) do update set removed = s.removed + excluded.removed,
        swept_at = excluded.swept_at`.execute(trx);
    return removed;
  });
}

export interface Swept {
  readonly table: string;
  /** Rows since the store was made. */
  readonly removed: number;
  readonly ageS: number;
}

/** An earlier release may have swept others. */
export async function readSwept({ db }: Pick<Store, 'db'>): Promise<readonly Swept[]> {
  return await allRows<Swept>(db)`
    select name as "table", removed::float8 as removed,
      extract(epoch from clock_timestamp() - swept_at)::float8 as "ageS"
    from retention_sweep where name = any(${Object.keys(STEPS)}) order by name`;
}
