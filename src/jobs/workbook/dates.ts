/** Serial days from 1900 (with a 29 February) or 1904, as ISO 8601 without a zone. */

const DAY_MS = 86_400_000;
const EPOCH_MS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
export type DateSystem = keyof typeof EPOCH_MS;

/** 31 December 9999, the largest allowed. */
const LAST_SERIAL = 2_958_465;
const LAST_MS = EPOCH_MS[1900] + (LAST_SERIAL + 1) * DAY_MS;
/** From here both readings of the 1900 system agree. */
const FIRST_SURE_SERIAL = 61;
const NEVER_WAS = 60;

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** null: invalid, or before March 1900. */
export function serialOf(text: string): number | null {
  const found = ISO.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const shown = new Date(ms).toISOString();
  // An invalid day, such as 31 February, would become another.
  if (!shown.startsWith(text.length === 16 ? `${text}:00` : text)) return null;
  const serial = (ms - EPOCH_MS[1900]) / DAY_MS;
  return serial >= FIRST_SURE_SERIAL && serial < LAST_SERIAL + 1 ? serial : null;
}

/** To the second; null: not a date. */
export function isoOf(serial: number, system: DateSystem): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial > LAST_SERIAL + 1) return null;
  const seconds = Math.round(serial * 86_400);
  const days = Math.floor(seconds / 86_400);
  const ms = EPOCH_MS[system] + seconds * 1000 + shiftOf(days, system);
  if (ms >= LAST_MS || (system === 1900 && days === NEVER_WAS)) return null;
  const iso = new Date(ms).toISOString();
  const time = iso.slice(11, 19);
  // A time without a day.
  if (days === 0 && (seconds > 0 || system === 1900)) return time;
  return seconds % 86_400 === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)}T${time}`;
}

/** Before the nonexistent day the 1900 system is one off. */
function shiftOf(days: number, system: DateSystem): number {
  return system === 1900 && days < NEVER_WAS ? DAY_MS : 0;
}

/** Dates or times in every locale (ECMA-376, 18.8.30). */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47]);
const isEastAsian = (id: number): boolean => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Literal parts of a format (ECMA-376, 18.8.31): quoted, escaped, room, fill. */
const SHOWN = /"[^"]*"|\\.|_.|\*./gsu;
/** Days, months, years, eras, hours, seconds, halves. */
const DATE_PART = /^(?:d{1,4}|m{1,5}|y{1,4}|e{1,4}|g{1,3}|b{2,4}|h{1,2}|s{1,2}|am\/pm|a\/p)/i;

/**
 * Looks at the pattern, because a localized word for the general format has letters that no date
 * has. `code`: a custom format.
 */
export function isDateFormat(id: number, code: string | null): boolean {
  if (code === null) return BUILT_IN.has(id) || isEastAsian(id);
  const [first = ''] = code.replace(SHOWN, ' ').split(';');
  // Hours beyond a day ([h]:mm) are durations; colours and locales also have brackets.
  if (/\[[hms]+\]/i.test(first)) return false;
  const bare = first.replace(/\[[^\]]*\]/g, '').replace(/[.,]0+/g, '');
  return !/[0#?@]/.test(bare) && isOfDateParts(bare);
}

function isOfDateParts(pattern: string): boolean {
  let isDate = false;
  for (let at = 0; at < pattern.length;) {
    const [part] = DATE_PART.exec(pattern.slice(at)) ?? [];
    // East Asian date signs may be unquoted.
    if (part === undefined && /[^\P{L}年月日時时分秒]/u.test(pattern[at] ?? '')) return false;
    isDate ||= part !== undefined;
    at += part?.length ?? 1;
  }
  return isDate;
}
