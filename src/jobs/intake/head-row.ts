/** The header is often below titles. */
import { invalidRequest } from '../../kernel/failures.ts';
import { isHeadingOf } from '../../core/rows/guess.ts';
import { ROLES } from '../../core/rows/job-types.ts';
import { hasValue, numberOf } from '../../core/rows/cells.ts';
import type { Cell, Row } from '../../core/rows/cells.ts';
import { JOB_LIMITS } from '../limits.ts';

export interface NumberedRow {
  /** From 1, blank rows counted. */
  readonly number: number;
  readonly cells: Row;
}

export function isHeadRow(row: number): boolean {
  const { min, max } = JOB_LIMITS.headRow;
  return Number.isInteger(row) && row >= min && row <= max;
}

/** Most rows above a guessed head. */
const MOST_TITLES = 5;
/** Titles, the head and some rows below it. */
export const HEAD_SAMPLE_ROWS = MOST_TITLES + 5;

/** A title is one text above several; a first row that could be a head is the head. */
export function headOf<R extends NumberedRow>(rows: readonly R[], asked: number | null): R {
  const [first] = rows;
  if (first === undefined) throw noSuchHead(asked ?? 1);
  if (asked !== null) {
    const named = rows.find(({ number }) => number === asked);
    if (named === undefined) throw noSuchHead(asked);
    return named;
  }
  const place = rows.findIndex(({ cells }) => cells.filter(hasValue).length > 1);
  const head = rows[place];
  if (place < 1 || place > MOST_TITLES || head === undefined) return first;
  const isHead = isNames(head.cells) && (rows[place + 1]?.cells ?? []).filter(hasValue).length > 1;
  return isHead && rows.slice(0, place).every(isTitle) ? head : first;
}

function isTitle({ cells }: NumberedRow): boolean {
  const [text] = cells.filter(hasValue);
  if (text === undefined) return true;
  return typeof text === 'string' && !ROLES.some((role) => isHeadingOf(role, text));
}

function isNames(cells: Row): boolean {
  const names = cells.filter(hasValue);
  const isText = (name: Cell) => typeof name === 'string' && numberOf(name) === null;
  return names.every(isText) && new Set(names).size === names.length;
}

export function noSuchHead(row: number) {
  return invalidRequest(
    `Row ${row} has no names of columns: it is empty, or the file ends before it.`,
    `Række ${row} har ingen navne på kolonner: den er tom, eller filen slutter før den.`,
  );
}
