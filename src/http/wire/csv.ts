import { csvRow, csvText } from '../../core/rows/csv-cells.ts';

/** Escapes formulas (D73); writes objects as JSON. */
export function csvLine(cells: readonly unknown[]): string {
  return `${csvRow(cells.map(cellOf).join(','))}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return csvText(typeof value === 'string' ? value : JSON.stringify(value));
}
