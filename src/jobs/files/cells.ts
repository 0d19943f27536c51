/** Cells of a CSV that spreadsheets open (D73): quoted where needed, and never run as a formula. */
import { numberOf } from '../cells.ts';
import type { Cell, Row } from '../chunk-rows.ts';

/** What ends a cell or a row; `;` ends one where commas are decimal. */
const QUOTED = /[",;\r\n]/;
/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

export function csvText(text: string): string {
  const safe = FORMULA.test(text) && numberOf(text) === null ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
  let text = csvCell(row[0]);
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
  return `${[...inputColumns, ...names].map(csvText).join(',')}\r\n`;
}
