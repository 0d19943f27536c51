import { csvRow, csvText } from '../../core/rows/csv-cells.ts';

/** A line of a CSV with commas, of which no cell runs as a formula (D73). Objects are written as JSON. */
export function csvLine(cells: readonly unknown[]): string {
  return `${csvRow(cells.map(cellOf).join(','))}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  return csvText(typeof value === 'string' ? value : JSON.stringify(value));
}
