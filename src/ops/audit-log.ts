/** Counts per hour. An hour without a row is unknown, not free of differences. */
import { sql } from 'kysely';
import type { Store } from '../db/connect.ts';
import type { StoreOutages } from '../db/store-watch.ts';
import { Rounds } from '../kernel/rounds.ts';
import type { Clock } from '../kernel/clock.ts';
import { OPS_LIMITS } from './limits.ts';
import type { MemoryAudit } from './overview.ts';

export interface AuditRecorderDeps {
  readonly store: Pick<Store, 'db'>;
  readonly outages: Pick<StoreOutages, 'isUnavailable'>;
  readonly clock: Clock;
  readonly view: () => MemoryAudit;
}

export interface AuditCounts {
  readonly compared: number;
  readonly differences: number;
  readonly alarms: number;
  readonly skipped: number;
}

export class AuditRecorder {
  readonly #deps: AuditRecorderDeps;
  readonly #rounds = new Rounds();
  #written: AuditCounts = { compared: 0, differences: 0, alarms: 0, skipped: 0 };
  #lastAlarm: MemoryAudit['alarms'][number] | null = null;
  #alarms = 0;

  constructor(deps: AuditRecorderDeps) {
    this.#deps = deps;
  }

  start(everyMs: number = OPS_LIMITS.auditRecordMs): void {
    this.#rounds.start(async () => {
      await this.#tryRecord();
      return everyMs;
    });
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#tryRecord();
  }

  /** If the store throws, the counts are kept for the next time. */
  async record(): Promise<void> {
    const counted = this.#counted();
    const more: AuditCounts = {
      compared: counted.compared - this.#written.compared,
      differences: counted.differences - this.#written.differences,
      alarms: counted.alarms - this.#written.alarms,
      skipped: counted.skipped - this.#written.skipped,
    };
    if (Object.values(more).every((count) => count === 0)) return;
    await addToHour(this.#deps.store, more, this.#deps.clock.nowMs());
    this.#written = counted;
  }

  #counted(): AuditCounts {
    const { compared, differences, skipped, alarms } = this.#deps.view();
    // Only the latest are kept: those after the last one seen are new.
    const known = this.#lastAlarm === null ? -1 : alarms.indexOf(this.#lastAlarm);
    this.#alarms += alarms.length - 1 - known;
    this.#lastAlarm = alarms.at(-1) ?? this.#lastAlarm;
    return {
      ...{ compared, differences, alarms: this.#alarms },
      skipped: skipped.busy + skipped.storeUnavailable,
    };
  }

  /** No count is lost. */
  async #tryRecord(): Promise<void> {
    if (this.#deps.outages.isUnavailable) return;
    await this.record().catch(() => undefined);
  }
}

async function addToHour(
  { db }: Pick<Store, 'db'>,
  more: AuditCounts,
  nowMs: number,
): Promise<void> {
  const { compared, differences, alarms, skipped } = more;
  const at = sql`${new Date(nowMs).toISOString()}::timestamptz`;
  const kept = new Date(nowMs - OPS_LIMITS.auditKeptMs).toISOString();
  await sql`
    with old as (delete from self_audit_hour where hour < ${kept}::timestamptz)
    insert into self_audit_hour (hour, compared, differences, alarms, skipped)
    values (date_trunc('hour', ${at}), ${compared}, ${differences}, ${alarms}, ${skipped})
    on conflict (hour) do update set
      compared = self_audit_hour.compared + excluded.compared,
      differences = self_audit_hour.differences + excluded.differences,
      alarms = self_audit_hour.alarms + excluded.alarms,
      skipped = self_audit_hour.skipped + excluded.skipped`.execute(db);
}

/** `endMs` is exclusive. */
export interface DaySpan {
  readonly date: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** null: nothing was recorded. */
export async function readAuditDays(
  { db }: Pick<Store, 'db'>,
  days: readonly DaySpan[],
): Promise<readonly (AuditCounts | null)[]> {
  const { rows } = await sql<{ [Name in keyof AuditCounts]: number } & { hours: number }>`
    select count(h.hour)::integer as hours, coalesce(sum(h.compared), 0)::float8 as compared,
      coalesce(sum(h.differences), 0)::float8 as differences,
      coalesce(sum(h.alarms), 0)::float8 as alarms, coalesce(sum(h.skipped), 0)::float8 as skipped
    from unnest(${days.map(({ startMs }) => new Date(startMs).toISOString())}::timestamptz[],
      ${days.map(({ endMs }) => new Date(endMs).toISOString())}::timestamptz[])
      with ordinality as d (starts, ends, place)
    left join self_audit_hour h on h.hour >= d.starts and h.hour < d.ends
    group by d.place order by d.place`.execute(db);
  return rows.map(({ hours, ...counts }) => (hours === 0 ? null : counts));
}
