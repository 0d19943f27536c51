/** Numbers, times and lists as Danish text. */

const ZONE = 'Europe/Copenhagen';
const NUMBER = new Intl.NumberFormat('da-DK');
const SHORT = new Intl.NumberFormat('da-DK', { maximumFractionDigits: 1 });
const DATE = new Intl.DateTimeFormat('da-DK', { timeZone: ZONE, day: 'numeric', month: 'short' });
const CLOCK = new Intl.DateTimeFormat('da-DK', { timeZone: ZONE, timeStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat('da-DK', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

export function number(value: number): string {
  return NUMBER.format(value);
}

export function rows(value: number): string {
  return value === 1 ? '1 række' : `${number(value)} rækker`;
}

/** Seconds as the largest one or two units a person needs. */
export function span(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} t` : `${hours} t ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 || days > 9 ? dayWord(days) : `${dayWord(days)} ${hours % 24} t`;
}

/** A limit: whole days and hours. */
export function limit(seconds: number): string {
  if (seconds % 86_400 === 0) return dayWord(seconds / 86_400);
  return span(seconds);
}

function dayWord(days: number): string {
  return days === 1 ? '1 døgn' : `${number(days)} døgn`;
}

export function duration(ms: number): string {
  return ms < 60_000 ? `${SHORT.format(ms / 1000)} s` : span(ms / 1000);
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
  return `${SHORT.format(scaled)} ${units[unit] ?? ''}`;
}

/** Square metres, as square kilometres where that is shorter. */
export function area(squareMetres: number): string {
  return squareMetres >= 1_000_000
    ? `${SHORT.format(squareMetres / 1_000_000)} km²`
    : `${number(Math.round(squareMetres))} m²`;
}

export function moment(iso: string): string {
  return MOMENT.format(new Date(iso));
}

/** A day of the year. */
export function date(ms: number): string {
  return DATE.format(new Date(ms));
}

export function clock(at: Date): string {
  return CLOCK.format(at);
}

/** `a`, `a og b`, `a, b og c`. */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} og ${words.at(-1) ?? ''}`;
}

const DAY = new Intl.DateTimeFormat('da-DK', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** A day and its time in Denmark. */
export function day(iso: string): string {
  return DAY.format(new Date(iso));
}

const SECOND = [1_000, 'sekund', 'sekunder'] as const;
const STEPS = [
  [86_400_000, 'dag', 'dage'],
  [3_600_000, 'time', 'timer'],
  [60_000, 'minut', 'minutter'],
] as const;

/** `om 40 dage`, `for 2 timer siden`. */
export function until(ms: number): string {
  const far = Math.abs(ms);
  const [unit, one, many] = STEPS.find(([length]) => far >= length) ?? SECOND;
  const count = Math.max(1, Math.floor(far / unit));
  const words = `${NUMBER.format(count)} ${count === 1 ? one : many}`;
  return ms < 0 ? `for ${words} siden` : `om ${words}`;
}
