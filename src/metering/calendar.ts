/** Days and months of Europe/Copenhagen (D63), with summer time. */

const ZONE = 'Europe/Copenhagen';

/** `endMs` is exclusive; milliseconds since 1970. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Month extends Span {
  /** `2026-03`. */
  readonly key: string;
  /** `2026-03-01`, as stored. */
  readonly firstDay: string;
}

export interface Day extends Span {
  /** `2026-03-29`. */
  readonly date: string;
}

const clockOf = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Local time minus UTC, whole seconds in milliseconds. */
function offsetMs(ms: number): number {
  const at: Record<string, number> = {};
  for (const { type, value } of clockOf.formatToParts(ms)) at[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  return local - Math.floor(ms / 1000) * 1000;
}

/** Clocks never change at midnight there. */
function midnight(year: number, month: number, day: number): number {
  const utc = Date.UTC(year, month, day);
  const guess = utc - offsetMs(utc);
  return utc - offsetMs(guess);
}

function monthAt(year: number, month: number): Month {
  const startMs = midnight(year, month, 1);
  const firstDay = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  return { key: firstDay.slice(0, 7), firstDay, startMs, endMs: midnight(year, month + 1, 1) };
}

export function monthOf(ms: number): Month {
  const local = new Date(ms + offsetMs(ms));
  return monthAt(local.getUTCFullYear(), local.getUTCMonth());
}

/** null: not a month such as `2026-03`. */
export function parseMonth(key: string): Month | null {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(key) ?? [];
  if (year === undefined || month === undefined || Number(year) < 1970) return null;
  return monthAt(Number(year), Number(month) - 1);
}

function dayOf(ms: number): Day {
  const local = new Date(ms + offsetMs(ms));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  return {
    date: local.toISOString().slice(0, 10),
    startMs: midnight(year, month, day),
    endMs: midnight(year, month, day + 1),
  };
}

/** `count` days up to that of `ms`, oldest first. */
export function daysUntil(ms: number, count: number): readonly Day[] {
  const days = [dayOf(ms)];
  // By the previous day's last millisecond: days have 23 to 25 hours.
  while (days.length < count) days.unshift(dayOf((days[0]?.startMs ?? ms) - 1));
  return days;
}

export class Calendar {
  #month: Month = monthOf(0);
  #day: Day = dayOf(0);

  month(ms: number): Month {
    if (ms < this.#month.startMs || ms >= this.#month.endMs) this.#month = monthOf(ms);
    return this.#month;
  }

  /** `2026-03-29`. */
  date(ms: number): string {
    if (ms < this.#day.startMs || ms >= this.#day.endMs) this.#day = dayOf(ms);
    return this.#day.date;
  }
}
