/** Columns without a role that may decide a job's addresses (D154). */
import type { AddressPart } from './address-headings.ts';
import { textOf } from './cells.ts';
import type { Row } from './cells.ts';
import { headingsBeside } from './guess.ts';
import { holdsUnits, lookOf } from './address-values.ts';
import type { Look } from './address-values.ts';
import type { RoleColumns } from './job-types.ts';

export interface UnreadColumn {
  readonly column: string;
  readonly place: number;
  /** What its heading says; `blank`: nothing, `word`: no part of an address. */
  readonly part: AddressPart | 'blank' | 'word';
  readonly isOfAnother: boolean;
}

export function unreadColumnsOf(
  columns: RoleColumns,
  inputColumns: readonly string[],
): readonly UnreadColumn[] {
  const address = columns.adresse ?? columns.vej;
  if (address === undefined) return [];
  const read = new Set(Object.values(columns));
  return headingsBeside(inputColumns, address).flatMap(({ column, part, isOfAnother }, place) =>
    read.has(column) || part === 'other' ? [] : [{ column, place, part, isOfAnother }],
  );
}

/** Looks that name their column, whatever its heading, and under a blank one. */
const NAMED: readonly (Look | null)[] = ['unit', 'letter', 'place'];
const NAMED_BLANK: readonly (Look | null)[] = [...NAMED, 'ground', 'house', 'number', 'postcode'];

/** For a heading that names no part: whether the values may be parts of an address. */
export function holdsParts(rows: readonly Row[], { place, part }: UnreadColumn): boolean {
  if (part !== 'blank' && part !== 'word') return false;
  if (part === 'blank' && isIndex(rows, place)) return false;
  const looks = part === 'blank' ? NAMED_BLANK : NAMED;
  return (
    rows.some((row) => looks.includes(lookOf(textOf(row[place]) ?? '-'))) || holdsUnits(rows, place)
  );
}

/** pandas and R write row numbers before the first column. */
export function isIndex(rows: readonly Row[], place: number): boolean {
  if (place > 0 || rows.length === 0) return false;
  let last = -1;
  return rows.every((row) => {
    const text = textOf(row[place]) ?? '';
    const number = /^\d+(?:[.,]0+)?$/.test(text) ? Number.parseInt(text, 10) : NaN;
    const isNext = number > last;
    last = number;
    return isNext;
  });
}
