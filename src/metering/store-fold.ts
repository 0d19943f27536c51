/** The statement that takes lines of a journal into the store, once. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { Tier } from '../account/plans.ts';
import type { Chunk } from './journal-lines.ts';

export interface FoldPosition {
  /** Bytes of the journal that are in the store. */
  readonly folded: number;
}

/** How far a journal is in the store; makes it known. */
export async function openJournal(
  store: Pick<Store, 'db'>,
  { journal, instance }: { readonly journal: string; readonly instance: string },
): Promise<FoldPosition> {
  const { rows } = await sql<{ folded: number }>`
    insert into usage_journal as j (journal, instance_id) values (${journal}, ${instance})
    on conflict (journal) do update set folded = j.folded
    returning folded`.execute(store.db);
  const [row] = rows;
  if (row === undefined) throw new Error('The journal has no position.');
  return row;
}

export interface Folding {
  readonly journal: string;
  /** Where the chunk begins. */
  readonly from: number;
  readonly chunk: Chunk;
  readonly atMs: number;
  /** Live units a month by tier: crossing 80 % or 100 % of them is an event. */
  readonly allowances: readonly (readonly [Tier, number])[];
}

/**
 * Takes a chunk into every table that counts, in one statement: all of it or nothing, and only if
 * the journal stands where the chunk begins. Returns false when someone else has moved it. Each
 * part waits for the one before, so that rows are locked in one order everywhere: the journal,
 * months, grants, days. A threshold is told once, by whichever fold reaches it.
 */
export async function foldChunk(
  store: Pick<Store, 'db'>,
  { journal, from, chunk, atMs, allowances }: Folding,
): Promise<boolean> {
  const { rows } = await sql<{ moved: boolean }>`
    with moved as (
      update usage_journal
      set folded = ${chunk.end}, lines = lines + ${chunk.lines},
        unreadable = unreadable + ${chunk.unreadable}
      where journal = ${journal} and folded = ${from}
      returning instance_id
    ), line as materialized (
      select f[1]::bigint as seq, to_timestamp(f[2]::bigint / 1000.0) as at, f[3]::date as day,
        date_trunc('month', f[3]::timestamp)::date as month, f[4] as key_id, f[5] as account_id,
        f[6] as operation, f[7] as environment, f[8]::integer as units,
        nullif(f[9], '-')::bigint as generation, f[10] as request_id
      from (
        select string_to_array(text, E'\t') as f
        from unnest(string_to_array(${chunk.text}, E'\n')) as text
        where text <> '' and exists (select from moved)
      ) fields
    ), month as (
      insert into usage_month as m (account_id, environment, month, used)
      select account_id, environment, month, sum(units) from line group by 1, 2, 3 order by 1, 2, 3
      on conflict (account_id, environment, month) do update set used = m.used + excluded.used
      returning account_id, environment, month, used
    ), spent as (
      update usage_grant g set spent = g.spent + l.units
      from (
        select account_id, environment, month, sum(units) as units from line
        where (select count(*) from month) > 0
        group by 1, 2, 3
      ) l
      where g.instance_id = (select instance_id from moved) and g.account_id = l.account_id
        and g.environment = l.environment and g.month = l.month
      returning 1
    ), day as (
      insert into usage_day as d
        (account_id, day, key_id, operation, environment, units, requests)
      select account_id, day, key_id, operation, environment, sum(units), count(*) from line
      where (select count(*) from spent) >= 0
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (account_id, day, key_id, operation, environment) do update
        set units = d.units + excluded.units, requests = d.requests + excluded.requests
      returning 1
    ), kept as (
      insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment,
        units, generation, request_id)
      select ${journal}, seq, at, day, account_id, key_id, operation, environment, units,
        generation, request_id
      from line where (select count(*) from day) >= 0
    ), event as (${thresholdsCrossed({ atMs, allowances })})
    select exists (select from moved) as moved`.execute(store.db);
  return rows[0]?.moved === true;
}

/** What the months just counted, in a part named `month`, have reached, unless it was told before. */
export function thresholdsCrossed({
  atMs,
  allowances,
}: Pick<Folding, 'atMs' | 'allowances'>): RawBuilder<unknown> {
  return sql`
    insert into account_event (account_id, event, data, dedupe, created_at)
    select w.account_id, 'usage.threshold', jsonb_build_object('tier', w.tier,
        'threshold_pct', w.pct, 'used', w.used, 'allowance', w.allowance, 'month', w.month),
      w.dedupe, ${new Date(atMs).toISOString()}::timestamptz
    from (
      select m.account_id, a.tier, t.pct, m.used, p.allowance,
        to_char(m.month, 'YYYY-MM') as month,
        concat_ws(':', 'usage.threshold', m.account_id, to_char(m.month, 'YYYY-MM'), t.pct)
          as dedupe
      from month m
      join account a on a.id = m.account_id
      join unnest(
        ${allowances.map(([tier]) => tier)}::text[],
        ${allowances.map(([, units]) => units)}::bigint[]
      ) as p (tier, allowance) on p.tier = a.tier
      cross join (values (80), (100)) as t (pct)
      where m.environment = 'live' and p.allowance > 0
        and m.used * 100 >= p.allowance * t.pct
    ) w
    where not exists (select from account_event e where e.dedupe = w.dedupe)
    on conflict (dedupe) do nothing`;
}
