/** Runs in browsers too. */

/** `undefined`: the row has no such column; null: it is explicitly null. */
export type Cell = string | number | boolean | null | undefined;
/** In the order of `inputColumns`; a shorter row lacks the rest. */
export type Row = readonly Cell[];

/** A cell that contains one makes its chunk JSON. */
export const CELL_END = '\u001f';
export const ROW_END = '\u001e';

/** Blanks are a value; an empty text is none. */
export function hasValue(cell: Cell): boolean {
  return cell !== undefined && cell !== null && cell !== '';
}

/** Trimmed; null if empty. Numbers as JSON writes them. */
export function textOf(cell: Cell): string | null {
  if (cell === undefined || cell === null || typeof cell === 'boolean') return null;
  const text = String(cell).trim();
  // How a CSV keeps the zeros of a code from a spreadsheet: `="0093"`.
  const kept = text.startsWith('="') ? (KEPT.exec(text)?.[1] ?? text) : text;
  return kept === '' ? null : kept;
}

const KEPT = /^="([^"]*)"$/;

export function headingOf(name: string): string {
  return name.replace(LINE_BREAKS, ' ').trim();
}

const LINE_BREAKS = /[^\S\r\n\t]*[\t\r\n\v\f\u0085\u2028\u2029]\s*/g;

/**
 * Decimals after a point or a comma, unambiguous marks between thousands; null: no number. An
 * exponent may mean rounding (`isRounded`).
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

export function isRounded(cell: Cell): boolean {
  const [, decimals = '', exponent = '0'] = EXPONENT.exec(textOf(cell) ?? '') ?? [];
  return typeof cell === 'string' && Number(exponent) > decimals.length;
}

const EXPONENT = /^[+-]?\d[.,]?(\d*)e\+?(\d{1,3})$/i;

/** Rewrites a coordinate for the service; null: still no number. */
export function numberWritten(cell: Cell, decimal: 'comma' | 'point'): string | null {
  const text = textOf(cell);
  if (text === null) return null;
  const thousands =
    decimal === 'comma' ? /[. \u00a0\u2009\u202f'\u2019]/g : /[, \u00a0\u2009\u202f'\u2019]/g;
  const bare = text.replace(thousands, '').replace(decimal === 'comma' ? ',' : '.', '.');
  return numberOf(bare) === null ? null : bare;
}
