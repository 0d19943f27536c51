/** Sends NDJSON, which keeps texts, numbers and booleans. */
import { workbookRows } from '../../jobs/intake/workbook.ts';
import type { SheetQuestion, WorkbookRows } from '../../jobs/workbook/rows.ts';
import { JOB_LIMITS } from '../../jobs/limits.ts';
import type { Piece } from './cut.ts';

export interface WorkbookFile extends SheetQuestion {
  readonly path: string;
}

export function isWorkbook(file: string): boolean {
  return /\.xls[xm]$/i.test(file);
}

/** Reads all, so that faults are reported before anything is sent. */
export async function countRows(file: WorkbookFile): Promise<number> {
  let rows = 0;
  for await (const some of rowsOf(file)) rows += some.rows.length;
  return rows;
}

export async function columnsOf(file: WorkbookFile): Promise<readonly string[]> {
  for await (const { columns } of rowsOf(file)) return columns;
  return [];
}

/** `until` counts rows. */
export async function* cutWorkbook(
  file: WorkbookFile,
  pieceBytes: number,
): AsyncGenerator<Piece, void> {
  let lines: string[] = [];
  let size = 0;
  let until = 0;
  for await (const { columns, rows } of rowsOf(file)) {
    for (const row of rows) {
      const line = JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, row[i]])));
      const bytes = Buffer.byteLength(line) + 1;
      if (size + bytes > pieceBytes && lines.length > 0) {
        yield { body: Buffer.from(`${lines.join('\n')}\n`), until };
        lines = [];
        size = 0;
      }
      lines.push(line);
      size += bytes;
      until += 1;
    }
  }
  if (lines.length > 0) yield { body: Buffer.from(`${lines.join('\n')}\n`), until };
}

function rowsOf({ path, ...question }: WorkbookFile): AsyncGenerator<WorkbookRows, void> {
  const { file: unpackedBytes } = JOB_LIMITS.workbook.unpackedBytes;
  return workbookRows(path, { ...question, unpackedBytes });
}
