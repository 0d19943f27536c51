import { systemClock } from '../../kernel/clock.ts';
import type { Columns as Names, ConditionField, ConditionId } from '../conditions/condition.ts';
import type { Decider, InForce } from '../conditions/condition.ts';
import { conditionOf } from '../conditions/index.ts';
import type { ConditionAttributes, Mapped, Mapping } from '../feature.ts';
import { columnsOf, decimalIn, httpAddress, parseCode, textOf, valueOf } from './columns.ts';
import type { Columns } from './columns.ts';
import type { MappingOptions } from './options.ts';
import { danishDay, timeOf } from './times.ts';

const DAY_MS = 86_400_000;

export function conditionMapping(
  id: ConditionId,
  { keyProperty, readAtMs }: MappingOptions,
): Mapping {
  const { inForce, objectId, fields } = conditionOf(id);
  return (properties): Mapped<ConditionAttributes> => {
    const columns = columnsOf(properties);
    const key = whole(textOf(columns, [keyProperty]));
    const left = leftOut(columns, inForce);
    if (left.kind === 'out') return { kind: 'skipped', reason: left.reason };
    const days = daysOf(columns, inForce);
    const today = isoDay(readAtMs ?? systemClock.nowMs());
    if (days.validTo !== null && days.validTo <= today) return { kind: 'skipped', reason: 'ended' };
    const fault = left.kind === 'unread' ? left.reason : days.fault;
    if (fault !== null) return { kind: 'issue', key, reason: fault };
    if (key === null) return { kind: 'issue', key, reason: `no ${keyProperty}` };
    const { validFrom, validTo } = days;
    return {
      kind: 'feature',
      key,
      objectId: whole(firstText(columns, objectId)) ?? key,
      standing: 'in_force',
      adopted: true,
      attributes: {
        ...{ validFrom, validTo },
        values: Object.fromEntries(fields.map((field) => [field.name, read(columns, field)])),
      },
    };
  };
}

export function isoDay(ms: number): string {
  return new Date(danishDay(ms) * DAY_MS).toISOString().slice(0, 10);
}

type Judged =
  | { readonly kind: 'in' }
  | { readonly kind: 'out' | 'unread'; readonly reason: string };

/** A reason to leave a row out weighs more than an illegible value. */
function leftOut(columns: Columns, { decides, withoutEffect }: InForce): Judged {
  const judged = decides.map((decider) => judgedBy(columns, decider));
  const gone = withoutEffect?.columns.some((name) =>
    textOf(columns, [name])?.toLowerCase().includes(withoutEffect.word),
  );
  if (gone === true) return { kind: 'out', reason: 'without effect' };
  return (
    judged.find(({ kind }) => kind === 'out') ??
    judged.find(({ kind }) => kind === 'unread') ?? { kind: 'in' }
  );
}

function judgedBy(columns: Columns, decider: Decider): Judged {
  const { accepted, others, mayBeEmpty = false } = decider;
  const name = decider.columns.join(' or ');
  const value = whole(decidingText(columns, decider.columns))?.toLowerCase() ?? null;
  if (value === null) return mayBeEmpty ? { kind: 'in' } : { kind: 'unread', reason: `no ${name}` };
  if (accepted.includes(value)) return { kind: 'in' };
  if (others.includes(value)) return { kind: 'out', reason: `not in force (${name})` };
  return { kind: 'unread', reason: `no usable ${name}` };
}

/** As written, a whole number without decimals: `20.0` is 20. */
function whole(text: string | null): string | null {
  const read = text === null ? null : parseCode(text);
  return read?.kind === 'code' ? String(read.code) : text;
}

function firstText(columns: Columns, names: Names): string | null {
  for (const name of names) {
    const text = textOf(columns, [name]);
    if (text !== null) return text;
  }
  return null;
}

/** An object or a list is unread, not empty. */
function decidingText(columns: Columns, names: Names): string | null {
  const isStrange = names.some((name) => typeof (valueOf(columns, [name]) ?? '') === 'object');
  return isStrange ? 'object' : firstText(columns, names);
}

function daysOf(columns: Columns, { begins, ends, lapses }: InForce) {
  const from = begins.map((names) => dayOf(columns, names, 'begin'));
  const to = ends.map((names) => dayOf(columns, names, 'end'));
  const start = lapses === undefined ? null : dayOf(columns, lapses.after, 'begin');
  if (start?.day !== null && start?.day !== undefined && lapses !== undefined) {
    to.push({ name: start.name, isRead: true, day: laterBy(start.day, lapses.years) });
  }
  const bad = [...from, ...to].find(({ isRead }) => !isRead);
  const known = (days: readonly ReturnType<typeof dayOf>[]) =>
    days.flatMap(({ day }) => day ?? []).toSorted();
  return {
    validFrom: known(from).at(-1) ?? null,
    validTo: known(to)[0] ?? null,
    fault: bad === undefined ? null : `no usable ${bad.name}`,
  };
}

const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/** 20180406, a number, or a time. */
function dayOf(columns: Columns, names: Names, kind: 'begin' | 'end') {
  const name = names.join(' or ');
  const text = whole(decidingText(columns, names));
  const [, year, month, date] = COMPACT.exec(text ?? '') ?? [];
  const time = timeOf(year === undefined ? text : `${year}-${month}-${date}`, kind);
  return {
    name,
    isRead: time.kind !== 'unreadable',
    day: time.kind === 'at' ? isoDay(time.ms) : null,
  };
}

function laterBy(day: string, years: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year + years, month - 1, date)).toISOString().slice(0, 10);
}

function read(columns: Columns, { kind, from, plusYears = 0 }: ConditionField) {
  switch (kind) {
    case 'text':
    case 'code':
      return whole(firstText(columns, from));
    case 'link':
      return httpAddress(firstText(columns, from)?.split(';')[0]?.trim() ?? null);
    case 'number':
      return decimalIn(firstText(columns, from) ?? '');
    case 'yes':
      return yesIn(firstText(columns, from));
    case 'day': {
      const { day } = dayOf(columns, from, 'begin');
      return day === null ? null : laterBy(day, plusYears);
    }
  }
}

/** null for another word: booleans come as text. */
function yesIn(text: string | null): boolean | null {
  const word = text?.toLowerCase() ?? '';
  if (['true', 'ja', '1'].includes(word)) return true;
  return ['false', 'nej', '0'].includes(word) ? false : null;
}
