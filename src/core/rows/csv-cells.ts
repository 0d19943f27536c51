/** Cells for spreadsheets (D73): never run as a formula, also where one splits at semicolons or tabs. */
import { numberOf } from './cells.ts';
import type { Cell, Row } from './cells.ts';

/** Makes spreadsheets read a text as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

export interface CsvDialect {
  readonly delimiter: ',' | ';';
  readonly decimal: '.' | ',';
  /** What ends a cell or row in the two other readings, and begins a formula after it. */
  readonly inside: RegExp;
}

const QUOTED = /[",;\t\r\n]/;
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;
const BEHIND = '"*)(?=[=+\\-@＝＋－＠\\t]|\\r(?!\\n))';

export const PLAIN: CsvDialect = {
  delimiter: ',',
  decimal: '.',
  inside: new RegExp(`([;\\t\\r\\n]${BEHIND}`, 'g'),
};

export const DANISH: CsvDialect = {
  delimiter: ';',
  decimal: ',',
  inside: new RegExp(`([,\\t\\r\\n]${BEHIND}`, 'g'),
};
/** With anything else, such as a space between thousands, some spreadsheets see no number. */
const NUMBER = /^[+-][\d.,e+-]+$/i;

export function csvText(text: string, { inside }: CsvDialect = PLAIN): string {
  const safe = FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  if (!QUOTED.test(safe)) return safe;
  // Most texts need neither: searching is cheaper than replacing nothing.
  const still = safe.search(inside) < 0 ? safe : safe.replace(inside, "$1'");
  return `"${still.includes('"') ? still.replaceAll('"', '""') : still}"`;
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && numberOf(text) !== null;
}

/** With another delimiter a row is one cell, which its number must not begin. */
export function csvRow(cells: string): string {
  return SIGN.test(cells) ? cells.replace(SIGN, '$1 ') : cells;
}

const SIGN = /^("?)(?=[+-])/;

export function csvTextOrNone(text: string | null): string {
  return text === null ? '' : csvText(text);
}

export function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? csvText(cell) : String(cell);
}

export function csvCells(row: Row, columns: number): string {
  if (columns === 0) return '';
  let text = csvRow(csvCell(row[0]));
  for (let i = 1; i < columns; i++) text += `,${csvCell(row[i])}`;
  return text;
}

export function csvHeader(inputColumns: readonly string[], ours: readonly string[]): string {
  const names = headerNames(inputColumns, ours).map((name) => csvText(name));
  return `${csvRow(names.join(','))}\r\n`;
}

export function headerNames(
  inputColumns: readonly string[],
  ours: readonly string[],
  apart = '_svar',
): readonly string[] {
  const taken = new Set(inputColumns);
  const names = ours.map((name) => {
    let free = name;
    while (taken.has(free)) free += apart;
    taken.add(free);
    return free;
  });
  return [...inputColumns, ...names];
}

/** Rows of a CSV written here: guards stay, quotes are removed. For other CSVs see intake/csv.ts. */
export function* writtenRows(text: string): Generator<string[], void, undefined> {
  const cursor = { text, at: 0, lineEnd: -1 };
  while (cursor.at < text.length) {
    const cells = [nextCell(cursor)];
    while (text.charCodeAt(cursor.at) === COMMA) {
      cursor.at += 1;
      cells.push(nextCell(cursor));
    }
    cursor.at += LINE_END.length;
    yield cells;
  }
}

interface Cursor {
  readonly text: string;
  at: number;
  lineEnd: number;
}

const COMMA = ','.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const LINE_END = '\r\n';

function nextCell(cursor: Cursor): string {
  const { text, at } = cursor;
  if (text.charCodeAt(at) === QUOTE) {
    let end = text.indexOf('"', at + 1);
    while (text.charCodeAt(end + 1) === QUOTE) end = text.indexOf('"', end + 2);
    cursor.at = end + 1;
    return text.slice(at + 1, end).replaceAll('""', '"');
  }
  // A cell without quotes contains no line end.
  if (cursor.lineEnd < at) cursor.lineEnd = text.indexOf(LINE_END, at);
  const comma = text.indexOf(',', at);
  cursor.at = comma < 0 || comma > cursor.lineEnd ? cursor.lineEnd : comma;
  return text.slice(at, cursor.at);
}
