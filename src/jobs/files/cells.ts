/**
 * Cells of a CSV that spreadsheets open (D73): quoted where needed, and never run as a formula. A
 * spreadsheet may split the file at semicolons or tabs instead of commas. Then a quote in the middle of a
 * row opens nothing, so that a cell begins behind each of them, and behind each line end, in any text.
 */
import { numberOf } from '../cells.ts';
import type { Cell, Row } from '../cells.ts';

/** Spreadsheets take a text for UTF-8 when it begins with this. */
export const BYTE_ORDER_MARK = '\ufeff';

/** How a CSV separates cells and decimals. */
export interface CsvDialect {
  readonly delimiter: ',' | ';';
  readonly decimal: '.' | ',';
  /** What ends a cell, or a row, in one of the two other ways to read it; what begins a formula after it. */
  readonly inside: RegExp;
}

/** What ends a cell or a row in one of the three ways to read it. */
const QUOTED = /[",;\t\r\n]/;
/**
 * What a spreadsheet takes for the beginning of a formula, the wide signs of East Asian keyboards among
 * them, and where it may begin inside a text.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;
const BEHIND = '"*)(?=[=+\\-@＝＋－＠\\t]|\\r(?!\\n))';

export const PLAIN: CsvDialect = {
  delimiter: ',',
  decimal: '.',
  inside: new RegExp(`([;\\t\\r\\n]${BEHIND}`, 'g'),
};

/** As Danish spreadsheets read and write it. */
export const DANISH: CsvDialect = {
  delimiter: ';',
  decimal: ',',
  inside: new RegExp(`([,\\t\\r\\n]${BEHIND}`, 'g'),
};
/** Written with anything else, such as a space between thousands, it is no number to every spreadsheet. */
const NUMBER = /^[+-][\d.,e+-]+$/i;

export function csvText(text: string, { inside }: CsvDialect = PLAIN): string {
  const safe = FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  if (!QUOTED.test(safe)) return safe;
  // Most texts have none of either: to look is cheaper than to replace nothing.
  const still = safe.search(inside) < 0 ? safe : safe.replace(inside, "$1'");
  return `"${still.includes('"') ? still.replaceAll('"', '""') : still}"`;
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && numberOf(text) !== null;
}

/** Split at anything but its delimiter, a row is one cell that goes on after its number: that is none. */
export function csvRow(cells: string): string {
  return SIGN.test(cells) ? cells.replace(SIGN, '$1 ') : cells;
}

const SIGN = /^("?)(?=[+-])/;

/** A text or nothing. */
export function csvTextOrNone(text: string | null): string {
  return text === null ? '' : csvText(text);
}

function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? csvText(cell) : String(cell);
}

/** The caller's cells, as many as there are columns, a comma between them. */
export function csvCells(row: Row, columns: number): string {
  if (columns === 0) return '';
  let text = csvRow(csvCell(row[0]));
  for (let i = 1; i < columns; i++) text += `,${csvCell(row[i])}`;
  return text;
}

/** The header row of a CSV. */
export function csvHeader(inputColumns: readonly string[], ours: readonly string[]): string {
  const names = headerNames(inputColumns, ours).map((name) => csvText(name));
  return `${csvRow(names.join(','))}\r\n`;
}

/** The caller's columns, then ours, renamed where there is one of that name before. */
export function headerNames(
  inputColumns: readonly string[],
  ours: readonly string[],
): readonly string[] {
  const taken = new Set(inputColumns);
  const names = ours.map((name) => {
    let free = name;
    while (taken.has(free)) free = `${free}_svar`;
    taken.add(free);
    return free;
  });
  return [...inputColumns, ...names];
}

/**
 * The rows of a CSV that was written here, cell by cell: guards stay, quotes go. Not for a file of anybody
 * else: see intake/csv.ts.
 */
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
  /** The first line end that is not before `at`, where it was looked for. */
  lineEnd: number;
}

const COMMA = ','.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const LINE_END = '\r\n';

/** Leaves the cursor on what ends the cell. */
function nextCell(cursor: Cursor): string {
  const { text, at } = cursor;
  if (text.charCodeAt(at) === QUOTE) {
    let end = text.indexOf('"', at + 1);
    while (text.charCodeAt(end + 1) === QUOTE) end = text.indexOf('"', end + 2);
    cursor.at = end + 1;
    return text.slice(at + 1, end).replaceAll('""', '"');
  }
  // No line end stands in a cell without quotes.
  if (cursor.lineEnd < at) cursor.lineEnd = text.indexOf(LINE_END, at);
  const comma = text.indexOf(',', at);
  cursor.at = comma < 0 || comma > cursor.lineEnd ? cursor.lineEnd : comma;
  return text.slice(at, cursor.at);
}
