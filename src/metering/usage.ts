/** Usage from folded lines, a second after the answers. */
import { sql } from 'kysely';
import { monthlyCeiling } from '../account/plans.ts';
import type { Environment, Plan } from '../account/plans.ts';
import type { Store } from '../db/connect.ts';
import { allRows, oneRow } from '../db/rows.ts';
import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failures.ts';
import type { RetentionDays } from '../kernel/retention.ts';
import type { Entry } from './journal.ts';
import { METERING_LIMITS } from './limits.ts';
import type { Month } from './calendar.ts';

export interface UsageQuestion {
  readonly accountId: string;
  readonly month: Month;
  readonly plan: Plan;
  /** Units a month; null: the plan's default (D61). */
  readonly capUnits: number | null;
}

export interface UsageRow {
  /** `2026-03-29`, in Europe/Copenhagen. */
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  readonly environment: Environment;
  readonly units: number;
  readonly requests: number;
}

export interface UsageTotal {
  readonly units: number;
  readonly requests: number;
  readonly allowance: number;
  /** Beyond it everything is refused until the month changes. */
  readonly ceiling: number;
  /** Beyond the allowance, billed separately. A test key has none. */
  readonly overageUnits: number;
}

export type Usage = Awaited<ReturnType<typeof readUsage>>;

/** A month before retention (D156) is refused, never empty. */
export interface UsageKept {
  readonly clock: Clock;
  /** Absent: all is kept. */
  readonly days: Pick<RetentionDays, 'usage_line' | 'usage_day'> | undefined;
}

export type UsageLedger = ReturnType<typeof usageLedger>;

export function usageLedger(store: Pick<Store, 'db'>, kept?: UsageKept) {
  return {
    read: async (question: UsageQuestion) => {
      refuseRemoved(question.month, kept, 'usage_day');
      return await readUsage(store, question);
    },
    lines: (question: LinesQuestion) => keptLines(store, question, kept),
    check: (question: LinesQuestion) => recomputeBill(store, question),
  };
}

export async function readUsage(store: Pick<Store, 'db'>, question: UsageQuestion) {
  const { accountId, month } = question;
  const { rows: used } = await sql<UsageRow>`
    select day, key_id as "keyId", operation, environment, units, requests from usage_day
    where account_id = ${accountId} and day >= ${month.firstDay}::date
      and day < ${month.firstDay}::date + interval '1 month'
    order by day, key_id, operation, environment`.execute(store.db);
  return {
    month: month.key,
    live: totalOf(used, 'live', question),
    test: totalOf(used, 'test', question),
    rows: used,
  };
}

function totalOf(
  rows: readonly UsageRow[],
  environment: Environment,
  { plan, capUnits }: UsageQuestion,
): UsageTotal {
  let units = 0;
  let requests = 0;
  for (const row of rows) {
    if (row.environment !== environment) continue;
    units += row.units;
    requests += row.requests;
  }
  const allowance = plan.unitsPerMonth[environment];
  return {
    units,
    requests,
    allowance,
    ceiling: monthlyCeiling(plan, { environment, capUnits }),
    overageUnits: environment === 'live' ? Math.max(0, units - allowance) : 0,
  };
}

export type BillLine = Omit<Entry, 'date' | 'accountId' | 'environment'>;

export interface LinesQuestion {
  readonly accountId: string;
  readonly month: Month;
  /** Test keys are never billed. */
  readonly environment?: Environment;
}

interface LineRow extends BillLine {
  readonly journal: string;
  readonly seq: number;
}

/** Oldest first, page by page to limit memory. */
export async function* readBillLines(
  store: Pick<Store, 'db'>,
  question: LinesQuestion,
): AsyncGenerator<BillLine, void, undefined> {
  let last: LineRow | null = null;
  for (;;) {
    const page: readonly LineRow[] = await readPage(store, question, last);
    for (const { journal: _, seq: __, ...line } of page) yield line;
    last = page.at(-1) ?? null;
    if (last === null || page.length < METERING_LIMITS.usageLinesPerPage) return;
  }
}

async function readPage(
  store: Pick<Store, 'db'>,
  { accountId, month, environment = 'live' }: LinesQuestion,
  last: LineRow | null,
): Promise<readonly LineRow[]> {
  const after =
    last === null
      ? sql`true`
      : sql`(at, journal, seq) > (to_timestamp(${last.atMs}::bigint / 1000.0), ${last.journal},
          ${last.seq})`;
  return await allRows<LineRow>(store.db)`
    select round(extract(epoch from at) * 1000)::bigint as "atMs", journal, seq,
      key_id as "keyId", operation, units, generation, request_id as "requestId"
    from usage_line
    where account_id = ${accountId} and environment = ${environment}
      and at >= to_timestamp(${month.startMs}::bigint / 1000.0)
      and at < to_timestamp(${month.endMs}::bigint / 1000.0)
      and ${after}
    order by at, journal, seq
    limit ${METERING_LIMITS.usageLinesPerPage}`;
}

async function* keptLines(
  store: Pick<Store, 'db'>,
  question: LinesQuestion,
  kept: UsageKept | undefined,
): AsyncGenerator<BillLine, void, undefined> {
  refuseRemoved(question.month, kept, 'usage_line');
  yield* readBillLines(store, question);
}

function refuseRemoved(
  { key, startMs }: Month,
  kept: UsageKept | undefined,
  which: 'usage_line' | 'usage_day',
): void {
  const days = kept?.days?.[which] ?? Infinity;
  if (kept === undefined || startMs >= kept.clock.nowMs() - days * DAY_MS) return;
  throw new Failure('invalid_request', {
    error: `month: ${key} is no longer kept; it is kept for ${days} days.`,
    errorDa: `month: ${key} er ikke gemt længere; det gemmes i ${days} dage.`,
  });
}

const DAY_MS = 86_400_000;

/** Compares the month's lines with the counts. */
export async function recomputeBill(
  store: Pick<Store, 'db'>,
  { accountId, month, environment = 'live' }: LinesQuestion,
) {
  const row = await oneRow<Record<'lines' | 'of_lines' | 'of_days' | 'of_month', number>>(store.db)`
    select l.lines, l.units as of_lines,
      (select coalesce(sum(units), 0) from usage_day
        where account_id = ${accountId} and environment = ${environment}
          and day >= ${month.firstDay}::date
          and day < ${month.firstDay}::date + interval '1 month')::bigint as of_days,
      (select coalesce(sum(used), 0) from usage_month
        where account_id = ${accountId} and environment = ${environment}
          and month = ${month.firstDay}::date)::bigint as of_month
    from (
      select count(*)::bigint as lines, coalesce(sum(units), 0)::bigint as units from usage_line
      where account_id = ${accountId} and environment = ${environment}
        and at >= to_timestamp(${month.startMs}::bigint / 1000.0)
        and at < to_timestamp(${month.endMs}::bigint / 1000.0)
    ) l`;
  const { lines, of_lines: unitsOfLines, of_days: unitsOfDays, of_month: unitsOfMonth } = row;
  const agrees = unitsOfLines === unitsOfDays && unitsOfLines === unitsOfMonth;
  return { lines, unitsOfLines, unitsOfDays, unitsOfMonth, agrees };
}
