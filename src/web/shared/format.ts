/** In the reader's language; times are Denmark's. */
import { t } from './language.ts';

const DAY_AND_TIME = { hour: '2-digit', minute: '2-digit' } as const;

function formatsOf(locale: string) {
  const times = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'Europe/Copenhagen', ...options });
  return {
    number: new Intl.NumberFormat(locale),
    short: new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }),
    tenths: new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    date: times({ day: 'numeric', month: 'short' }),
    clock: times({ timeStyle: 'medium' }),
    moment: times({ ...DAY_AND_TIME, day: 'numeric', month: 'short' }),
    day: times({ ...DAY_AND_TIME, day: 'numeric', month: 'long', year: 'numeric' }),
    dated: times({ dateStyle: 'medium' }),
    exact: times({ dateStyle: 'short', timeStyle: 'medium' }),
    signed: times({ dateStyle: 'long', timeStyle: 'medium' }),
    month: times({ month: 'long', year: 'numeric' }),
  };
}

const made: Record<string, ReturnType<typeof formatsOf>> = {};

function formats(): ReturnType<typeof formatsOf> {
  const locale = t('da-DK', 'en-GB');
  return (made[locale] ??= formatsOf(locale));
}

type Instant = string | number | Date;

const shownAs =
  (kind: 'date' | 'clock' | 'moment' | 'day' | 'dated' | 'exact' | 'signed' | 'month') =>
  (at: Instant): string =>
    formats()[kind].format(new Date(at));

/** `3. nov.` */
export const date = shownAs('date');
export const clock = shownAs('clock');
/** `3. nov. 12.30` */
export const moment = shownAs('moment');
/** `3. november 2026 kl. 12.30` */
export const day = shownAs('day');
/** `3. nov. 2026` */
const dated = shownAs('dated');
/** What is no day stays as it is. */
export function dayText(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : dated(at);
}

/** To the second, with its year. */
export const exactMoment = shownAs('exact');
/** The same with the month in words. */
export const signedMoment = shownAs('signed');
const month = shownAs('month');

/** `2026-11-03` as 3. nov.: noon lies in the same day everywhere in Denmark. */
export function dayWords(isoDay: string): string {
  return date(`${isoDay}T12:00:00Z`);
}

/** `2026-11` as november 2026. */
export function monthWords(isoMonth: string): string {
  return month(`${isoMonth}-15T12:00:00Z`);
}

/** The day of an instant in Denmark, as `2026-11-03`. */
export function isoDay(at: Instant): string {
  return new Date(at).toLocaleDateString('sv-SE', { timeZone: 'Europe/Copenhagen' });
}

export function number(value: number): string {
  return formats().number.format(value);
}

/** With a decimal where it is not whole. */
export function decimal(value: number): string {
  return formats().short.format(value);
}

/** With the answer's decimal, 0.1 m. */
export function metres(value: number): string {
  return `${formats().tenths.format(Math.abs(value))} m`;
}

export function rows(value: number): string {
  return value === 1 ? t('1 række', '1 row') : `${number(value)} ${t('rækker', 'rows')}`;
}

/** In the largest one or two units. */
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

function dayWord(days: number): string {
  const word = t('døgn', days === 1 ? 'day' : 'days');
  return `${number(days)} ${word}`;
}

function hourWord(hours: number): string {
  return `${hours} ${t('t', 'h')}`;
}

/** Empty: the place itself was asked about. */
export function fromNearestWords(metresAway: number): string {
  if (metresAway === 0) return '';
  const far = metres(metresAway);
  return t(
    `Slået op fra nærmeste adresse, ${far} herfra.`,
    `For the nearest address, ${far} away.`,
  );
}

/** Of no registered year; the API delivers it raw. */
const PLACEHOLDERS: readonly (number | null)[] = [null, 0, 1000];

export function builtWords(year: number | null): string {
  if (PLACEHOLDERS.includes(year)) return t('opførelsesår ikke oplyst', 'year not stated');
  return t(`opført ${year}`, `built ${year}`);
}
