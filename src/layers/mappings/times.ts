/** Register times as ISO 8601 in UTC (D33): zones as given, naive times as Europe/Copenhagen. */

const FORM =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/;
/** A zone may shift the placeholder to the evening before. */
const PLACEHOLDERS = ['1799-12-31', '1800-01-01'];
const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** null for none, the placeholder and anything unreadable. */
export function instantOf(text: string | null): string | null {
  const ms = text === null ? null : parse(text.trim());
  return ms === null ? null : new Date(ms).toISOString();
}

export type Time =
  | { readonly kind: 'none' }
  | { readonly kind: 'at'; readonly ms: number }
  | { readonly kind: 'unreadable' };

/**
 * Unknown dates of the portal (byggelinjer.md 3.1), its open ends (conditions.md 5), and the end of
 * days (D175).
 */
const NO_TIME = [...PLACEHOLDERS, '2099-10-30', '9999-12-31'];
/**
 * An earlier time is another program's zero. DAR begins rows of always on 1753-01-01, the first day
 * of its database.
 */
export const EARLIEST_MS = { begin: Date.UTC(1752, 11, 31), end: Date.UTC(1799, 11, 31) } as const;

export function timeOf(value: unknown, kind: keyof typeof EARLIEST_MS): Time {
  if (value === undefined || value === null) return { kind: 'none' };
  const text = typeof value === 'string' ? value.trim() : typeof value;
  if (text === '') return { kind: 'none' };
  const ms = parse(text);
  if (ms !== null && !NO_TIME.includes(dayOf(text))) {
    return ms < EARLIEST_MS[kind] ? { kind: 'unreadable' } : { kind: 'at', ms };
  }
  if (ms !== null) return { kind: 'none' };
  const isPlaceholder = PLACEHOLDERS.includes(dayOf(text)) && FORM.test(text);
  return { kind: isPlaceholder ? 'none' : 'unreadable' };
}

const dayOf = (text: string): string => text.slice(0, 10).replaceAll('/', '-');

const NO_TIME_DAYS = new Set(NO_TIME.map((day) => Date.parse(day) / DAY_MS));

export function isNoTime(ms: number): boolean {
  return NO_TIME_DAYS.has(Math.floor(ms / DAY_MS));
}

/**
 * In days since 1970 (D56). The register applies today's summer time, until the end of October, to
 * every year: its midnight in October before 1996 is 23:00 by the clock then, and starts the next
 * day.
 */
export function danishDay(utcMs: number): number {
  const localMs = utcMs + offsetAt(utcMs);
  const day = Math.floor(localMs / DAY_MS);
  const isMidnightOfToday = localMs - day * DAY_MS === DAY_MS - HOUR_MS;
  return isMidnightOfToday ? day + 1 : day;
}

function parse(text: string): number | null {
  const parts = FORM.exec(text);
  if (parts === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = parts;
  if (PLACEHOLDERS.includes(`${year}-${month}-${day}`)) return null;
  const wallMs = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  );
  // Date.UTC rolls 31 June to July and hour 25 to the next day: such times are invalid.
  const rolled = new Date(wallMs).toISOString().slice(0, 16);
  if (rolled !== `${year}-${month}-${day}T${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`) {
    return null;
  }
  return wallMs - (zone === undefined ? danishOffsetMs(wallMs) : offsetMs(zone));
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return sign * minutes * 60_000;
}

const COPENHAGEN = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Copenhagen',
  timeZoneName: 'longOffset',
});
/** By day: two Intl calls per day instead of one per row. */
const offsetsOfDay = new Map<number, number | null>();
const DAYS_KEPT = 20_000;

/**
 * At a wall-clock time. An ambiguous hour is the first; a skipped one counts from before the
 * change.
 */
function danishOffsetMs(wallMs: number): number {
  const day = Math.floor(wallMs / DAY_MS);
  let known = offsetsOfDay.get(day);
  if (known === undefined) {
    const before = offsetAt((day - 1) * DAY_MS);
    known = before === offsetAt((day + 2) * DAY_MS) ? before : null;
    if (offsetsOfDay.size >= DAYS_KEPT) offsetsOfDay.clear();
    offsetsOfDay.set(day, known);
  }
  if (known !== null) return known;
  const early = offsetAt(wallMs - DAY_MS);
  const late = offsetAt(wallMs + DAY_MS);
  return offsetAt(wallMs - early) === early ? early : lateOrEarly(wallMs, early, late);
}

/** After the change, unless the clock never showed this time. */
function lateOrEarly(wallMs: number, early: number, late: number): number {
  return offsetAt(wallMs - late) === late ? late : early;
}

function offsetAt(utcMs: number): number {
  const name = COPENHAGEN.formatToParts(utcMs).find((part) => part.type === 'timeZoneName')?.value;
  const zone = /[+-]\d{2}:\d{2}/.exec(name ?? '')?.[0];
  return zone === undefined ? 0 : offsetMs(zone);
}
