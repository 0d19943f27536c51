/** Rows of the sample that are kept as files: columns by name, semicolons between cells, empty is null. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableRow } from './table-row.ts';

export function readCsv(folder: string, name: string): readonly TableRow[] {
  const text = readFileSync(join(folder, `${name}.csv`), 'utf8').trimEnd();
  const [columns = [], ...rows] = text.split('\n').map((line) => line.split(';'));
  return rows.map((cells, n) => {
    if (cells.length !== columns.length) throw new Error(`${name}.csv: line ${n + 2} is no row`);
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] || null]));
  });
}
