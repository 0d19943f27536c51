/** What a cell of a row says, whichever way the caller wrote it. Runs in browsers too. */

/** `undefined`: the row did not name that column; null is what it said. */
export type Cell = string | number | boolean | null | undefined;
/** Cells in the order of the job's `inputColumns`; a shorter row names none of the rest. */
export type Row = readonly Cell[];

/** Between cells and between rows of separated text. A cell that holds one makes its chunk JSON. */
export const CELL_END = '\u001f';
export const ROW_END = '\u001e';

/** Its text without the space around it; null where there is none. Numbers as JSON writes them. */
export function textOf(cell: Cell): string | null {
  if (cell === undefined || cell === null || typeof cell === 'boolean') return null;
  const text = String(cell).trim();
  return text === '' ? null : text;
}

/** A heading in one line: what breaks a line in it, or a tab, is read as a blank. */
export function headingOf(name: string): string {
  return name.replace(LINE_BREAKS, ' ').trim();
}

const LINE_BREAKS = /[^\S\r\n\t]*[\t\r\n\v\f\u0085\u2028\u2029]\s*/g;

/**
 * Its number, with a point or, as Danish spreadsheets write, a comma before the decimals, and a
 * point, a space or an apostrophe between thousands only where that leaves no doubt. Null: none.
 * A text with an exponent may have been rounded: see `isRounded`.
 */
export function numberOf(cell: Cell): number | null {
  if (typeof cell === 'number') return cell;
  const text = textOf(cell);
  if (text === null || text.length > MAX_CHARS) return null;
  if (PLAIN.test(text)) return Number(text);
  if (DECIMAL_COMMA.test(text)) return Number(text.replace(',', '.'));
  if (DANISH_GROUPS.test(text)) return Number(text.replace(GROUP_MARKS, '').replace(',', '.'));
  return null;
}

const MAX_CHARS = 40;
const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const DECIMAL_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:e[+-]?\d{1,3})?$/i;
/** 6.175.000,25, 6 175 000 and 1.234.567: more than one mark, or a comma after the marks. */
const DANISH_GROUPS =
  /^[+-]?\d{1,3}(?:(?:\.\d{3}){2,}|(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+|\.\d{3}(?=,))(?:,\d*)?$/;
const GROUP_MARKS = /[. \u00a0\u2009\u202f'\u2019]/g;

/**
 * Whether a text is a number that a spreadsheet has rounded for want of room: `6,50E+05` may be any of a
 * thousand numbers. One whose digits reach its last whole one is exact.
 */
export function isRounded(cell: Cell): boolean {
  const [, decimals = '', exponent = '0'] = EXPONENT.exec(textOf(cell) ?? '') ?? [];
  return typeof cell === 'string' && Number(exponent) > decimals.length;
}

const EXPONENT = /^[+-]?\d[.,]?(\d*)e\+?(\d{1,3})$/i;
