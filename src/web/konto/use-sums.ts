/** Pure. */
import type { Environment, UsageRow } from './types.ts';

export type Group = 'operation' | 'key';

/** The largest parts have one each, the rest share the last. */
export const FILLS = 6;

/** One operation, or one key, over the month. */
export interface Part {
  readonly id: string;
  readonly units: number;
  readonly requests: number;
  readonly fill: number;
}

export interface DaySum {
  readonly day: string;
  readonly byFill: readonly number[];
  readonly units: number;
  /** Of the month up to and with this day. */
  readonly toDate: number;
}

export interface UseSums {
  /** The largest first. */
  readonly parts: readonly Part[];
  readonly days: readonly DaySum[];
  readonly units: number;
  readonly requests: number;
}

/** @param month `2026-11` */
export function sumUse(
  rows: readonly UsageRow[],
  { month, environment, group }: { month: string; environment: Environment; group: Group },
): UseSums {
  const own = rows.filter((row) => row.environment === environment);
  const idOf = (row: UsageRow): string => (group === 'key' ? row.key_id : row.operation);
  const parts = partsOf(own, idOf);
  const fillOf = new Map(parts.map(({ id, fill }) => [id, fill]));
  let toDate = 0;
  const days = daysOf(month).map((day): DaySum => {
    const byFill = new Array<number>(FILLS).fill(0);
    for (const row of own) {
      if (row.day !== day) continue;
      const fill = fillOf.get(idOf(row)) ?? FILLS - 1;
      byFill[fill] = (byFill[fill] ?? 0) + row.units;
    }
    const units = sum(byFill);
    toDate += units;
    return { day, byFill, units, toDate };
  });
  return { parts, days, units: toDate, requests: sum(own.map(({ requests }) => requests)) };
}

function partsOf(rows: readonly UsageRow[], idOf: (row: UsageRow) => string): readonly Part[] {
  const sums = new Map<string, { units: number; requests: number }>();
  for (const row of rows) {
    const id = idOf(row);
    const { units, requests } = sums.get(id) ?? { units: 0, requests: 0 };
    sums.set(id, { units: units + row.units, requests: requests + row.requests });
  }
  return [...sums]
    .map(([id, both]) => ({ id, ...both }))
    .toSorted((a, b) => b.units - a.units || b.requests - a.requests || (a.id < b.id ? -1 : 1))
    .map((part, index) => ({ ...part, fill: Math.min(index, FILLS - 1) }));
}

function daysOf(month: string): readonly string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`);
}

/** Latest first. */
export function monthsBack(latest: string, earliest: string, most: number): readonly string[] {
  const months: string[] = [];
  let [year = 0, number = 1] = latest.split('-').map(Number);
  for (;;) {
    const month = `${year}-${String(number).padStart(2, '0')}`;
    months.push(month);
    if (month <= earliest || months.length >= most) return months;
    number -= 1;
    if (number === 0) [year, number] = [year - 1, 12];
  }
}

/** The least of 1, 2, 5, 10, 20, 50, … not below it. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= value) ?? value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
