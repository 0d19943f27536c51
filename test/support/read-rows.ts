import { expect } from 'vitest';
import type { Charset } from '../../src/core/rows/job-types.ts';
import { decodeRows } from '../../src/jobs/chunk-rows.ts';
import { CsvReader } from '../../src/jobs/intake/csv.ts';
import type { ReadRows, RowsReader } from '../../src/jobs/intake/rows-reader.ts';

/** Whole, as its counts say. */
export function rowsOf({ columns, chunks, rows }: ReadRows) {
  const all = chunks.flatMap(({ input, rows: count }) => {
    const decoded = decodeRows(input);
    expect(decoded).toHaveLength(count);
    return decoded;
  });
  expect(all).toHaveLength(rows);
  return { columns, rows: all };
}

/** Cells of a small table: `1;2|3;4` has two rows. */
export const cellsOf = (table: string): string[][] => table.split('|').map((row) => row.split(';'));

/** A body that comes in pieces of a size. */
export function readIn(reader: RowsReader, body: string | Buffer, piece = 1 << 16): ReadRows {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
  return reader.end();
}

export const readCsv = (body: string | Buffer, piece?: number, charset: Charset | null = null) =>
  rowsOf(readIn(new CsvReader(charset), body, piece));
