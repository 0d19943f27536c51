/** Numbers, times and lists as text in the reader's language. Times are those of Denmark. */
import { inLanguage, t } from './language.ts';
import { registeredYear } from './years.ts';

const ZONE = 'Europe/Copenhagen';
const DAY_AND_TIME = { timeZone: ZONE, hour: '2-digit', minute: '2-digit' } as const;

function formatsOf(locale: string) {
  const times = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options);
  return {
    number: new Intl.NumberFormat(locale),
    short: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
    date: times({ timeZone: ZONE, day: 'numeric', month: 'short' }),
    clock: times({ timeZone: ZONE, timeStyle: 'medium' }),
    moment: times({ ...DAY_AND_TIME, day: 'numeric', month: 'short' }),
    day: times({ ...DAY_AND_TIME, day: 'numeric', month: 'long', year: 'numeric' }),
  };
}

const FORMATS = { da: formatsOf('da-DK'), en: formatsOf('en-GB') };

function formats(): ReturnType<typeof formatsOf> {
  return inLanguage(FORMATS);
}

export function number(value: number): string {
  return formats().number.format(value);
}

export function rows(value: number): string {
  return value === 1 ? t('1 række', '1 row') : `${number(value)} ${t('rækker', 'rows')}`;
}

/** Seconds as the largest one or two units a person needs. */
export function span(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24)
    return minutes % 60 === 0 ? hourWord(hours) : `${hourWord(hours)} ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days > 9 ? dayWord(days) : `${dayWord(days)} ${hourWord(hours % 24)}`;
}

/** A limit: whole days and hours. */
export function limit(seconds: number): string {
  if (seconds % 86_400 === 0) return dayWord(seconds / 86_400);
  return span(seconds);
}

function dayWord(days: number): string {
  const word = t('døgn', days === 1 ? 'day' : 'days');
  return `${number(days)} ${word}`;
}

function hourWord(hours: number): string {
  return `${hours} ${t('t', 'h')}`;
}

export function duration(ms: number): string {
  return ms < 60_000 ? `${formats().short.format(ms / 1000)} s` : span(ms / 1000);
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['kB', 'MB', 'GB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${formats().short.format(scaled)} ${units[unit] ?? ''}`;
}

/** Square metres, as square kilometres where that is shorter. */
export function area(squareMetres: number): string {
  return squareMetres >= 1_000_000
    ? `${formats().short.format(squareMetres / 1_000_000)} km²`
    : `${number(Math.round(squareMetres))} m²`;
}

export function moment(iso: string): string {
  return formats().moment.format(new Date(iso));
}

/** A day of the year. */
export function date(ms: number): string {
  return formats().date.format(new Date(ms));
}

export function clock(at: Date): string {
  return formats().clock.format(at);
}

/** `a`, `a og b`, `a, b og c`; `a, b and c`. */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${t('og', 'and')} ${words.at(-1) ?? ''}`;
}

/** A day and its time in Denmark. */
export function day(iso: string): string {
  return formats().day.format(new Date(iso));
}

const SECOND = [1_000, ['sekund', 'sekunder'], ['second', 'seconds']] as const;
const STEPS = [
  [86_400_000, ['dag', 'dage'], ['day', 'days']],
  [3_600_000, ['time', 'timer'], ['hour', 'hours']],
  [60_000, ['minut', 'minutter'], ['minute', 'minutes']],
] as const;

/** `om 40 dage`, `for 2 timer siden`; `in 40 days`, `2 hours ago`. */
export function until(ms: number): string {
  const far = Math.abs(ms);
  const [unit, da, en] = STEPS.find(([length]) => far >= length) ?? SECOND;
  const count = Math.max(1, Math.floor(far / unit));
  const [one, many] = inLanguage<readonly [string, string]>({ da, en });
  const words = `${number(count)} ${count === 1 ? one : many}`;
  return ms < 0 ? t(`for ${words} siden`, `${words} ago`) : t(`om ${words}`, `in ${words}`);
}

/** When something was built. */
export function builtWords(year: number | null): string {
  const registered = registeredYear(year);
  if (registered === null) return t('opførelsesår ikke oplyst', 'year not stated');
  return t(`opført ${registered}`, `built ${registered}`);
}

/** A year of a file; empty where the row has none. */
export function yearCell(cell: string): string {
  if (cell === '' || registeredYear(Number(cell)) !== null) return cell;
  return t('ikke oplyst', 'not stated');
}
