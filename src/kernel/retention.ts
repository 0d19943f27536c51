/** Retention of growing tables (D156, D200), for the sweep, the setting and the document. */
import { wholeWithin } from './number-texts.ts';

export interface Retention {
  readonly days: number;
  /** The setting's lowest value. */
  readonly min: number;
  readonly why: string;
}

const FIVE_YEARS = 1_827;

export const RETENTION = {
  usage_line: {
    ...{ days: 400, min: 62 },
    why: 'a line names key, time and request: for questions about a bill, of this year and the last',
  },
  usage_day: {
    ...{ days: FIVE_YEARS, min: FIVE_YEARS },
    why: 'sums that bills are made of: five years by bogføringsloven',
  },
  usage_month: {
    ...{ days: FIVE_YEARS, min: FIVE_YEARS },
    why: 'units of each bill: five years by bogføringsloven',
  },
  usage_journal: {
    ...{ days: 400, min: 62 },
    why: 'where a journal was folded to: until its lines and its process are gone',
  },
  account_event: {
    ...{ days: FIVE_YEARS, min: 31 },
    why: 'what happened to an account: as long as claims about it may be made (forældelsesloven)',
  },
  operator_act: {
    ...{ days: FIVE_YEARS, min: FIVE_YEARS },
    why: 'proof of what operators did: as long as bills',
  },
  api_key_use: { days: 90, min: 1, why: 'when a key was last used, counted from its end' },
  api_key: {
    ...{ days: FIVE_YEARS, min: 400 },
    why: 'ended keys, which lines and sums of bills name',
  },
  job: {
    ...{ days: FIVE_YEARS, min: 31 },
    why: 'the record of a job that ended, with its units; its rows leave after 30 days',
  },
  sync_run: {
    ...{ days: 400, min: 92 },
    why: 'runs and their issues; the latest of each layer stay',
  },
  layer_history: {
    ...{ days: 400, min: 400 },
    why: 'rows that publications replaced, which changes are told from; three steps of each layer stay',
  },
} as const satisfies Record<string, Retention>;

export type Retained = keyof typeof RETENTION;

export type RetentionDays = Readonly<Record<Retained, number>>;

const MAX_DAYS = 36_525;

/** A table that the setting leaves out keeps its default. Throws an Error with one sentence. */
export function retentionDays(
  name: string,
  given: Readonly<Record<string, string>> = {},
): RetentionDays {
  const unknown = Object.keys(given).find((table) => !Object.hasOwn(RETENTION, table));
  if (unknown !== undefined) {
    const known = Object.keys(RETENTION).join(', ');
    throw new Error(`${name} names ${unknown.slice(0, 40)}, which is none of ${known}.`);
  }
  const days = Object.entries(RETENTION).map(([table, { days: usual, min }]) => {
    const value = wholeWithin(given[table] ?? String(usual), { min, max: MAX_DAYS });
    if (value !== null) return [table, value];
    throw new Error(`${name}: ${table} is a whole number of days from ${min} to ${MAX_DAYS}.`);
  });
  return Object.fromEntries(days) as RetentionDays;
}
