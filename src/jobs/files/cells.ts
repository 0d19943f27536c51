/**
 * Cells of a CSV that spreadsheets open (D73): quoted where needed, and never run as a formula. A
 * spreadsheet may split the file at semicolons or tabs instead of commas. Then a quote in the middle of a
 * row opens nothing, so that a cell begins behind each of them, and behind each line end, in any text.
 */
import { numberOf } from '../cells.ts';
import type { Cell, Row } from '../chunk-rows.ts';

/** What ends a cell or a row in one of the three ways to read it. */
const QUOTED = /[",;\t\r\n]/;
/**
 * What a spreadsheet takes for the beginning of a formula, the wide signs of East Asian keyboards among
 * them, and where it may begin inside a text.
 */
const FORMULA = /^[=+\-@＝＋－＠\t\r]/;
const FORMULA_INSIDE = /([;\t\r\n]"*)(?=[=+\-@＝＋－＠\t]|\r(?!\n))/g;
/** Written with anything else, such as a space between thousands, it is no number to every spreadsheet. */
const NUMBER = /^[+-][\d.,e+-]+$/i;

export function csvText(text: string): string {
  const safe = FORMULA.test(text) && !isNumber(text) ? `'${text}` : text;
  if (!QUOTED.test(safe)) return safe;
  // Most texts have none of either: to look is cheaper than to replace nothing.
  const still = safe.search(FORMULA_INSIDE) < 0 ? safe : safe.replace(FORMULA_INSIDE, "$1'");
  return `"${still.includes('"') ? still.replaceAll('"', '""') : still}"`;
}

function isNumber(text: string): boolean {
  return NUMBER.test(text) && numberOf(text) !== null;
}

/** Split at anything but commas, a row is one cell that goes on after its number: that is no number. */
function rowOf(cells: string): string {
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
  let text = rowOf(csvCell(row[0]));
  for (let i = 1; i < columns; i++) text += `,${csvCell(row[i])}`;
  return text;
}

/** The header row: the caller's columns, then ours, renamed where the caller has one of that name. */
export function csvHeader(inputColumns: readonly string[], ours: readonly string[]): string {
  const taken = new Set(inputColumns);
  const names = ours.map((name) => {
    let free = name;
    while (taken.has(free)) free = `${free}_svar`;
    taken.add(free);
    return free;
  });
  return `${rowOf([...inputColumns, ...names].map(csvText).join(','))}\r\n`;
}
