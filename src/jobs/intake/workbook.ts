import { encodeRows } from '../chunk-rows.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { JOB_LIMITS } from '../limits.ts';
import { WorkbookPackage } from '../workbook/package.ts';
import { rowsOfWorkbook } from '../workbook/rows.ts';
import type { SheetQuestion, WorkbookRows } from '../workbook/rows.ts';
import { tooManyRows } from './refusals.ts';
import type { ReadChunk, ReadRows } from './rows-reader.ts';

export interface WorkbookOptions extends SheetQuestion {
  readonly unpackedBytes: number;
}

/** Throws with the row or cell. */
export async function readWorkbook(
  bytes: Buffer,
  sheet: string | null,
  headRow: number | null = null,
): Promise<ReadRows> {
  const { body: unpackedBytes } = JOB_LIMITS.workbook.unpackedBytes;
  const chunks: ReadChunk[] = [];
  let columns: readonly string[] = [];
  let guessedHead: number | null = null;
  let open: Cell[][] = [];
  let count = 0;
  const endChunk = () => {
    if (open.length > 0) chunks.push({ input: encodeRows(open), rows: open.length });
    open = [];
  };
  for await (const some of workbookRows(bytes, { sheet, headRow, unpackedBytes })) {
    ({ columns, guessedHead } = some);
    count += some.rows.length;
    if (count > JOB_LIMITS.rowsPerJob) throw tooManyRows();
    for (const row of some.rows) {
      open.push(row);
      if (open.length === JOB_LIMITS.chunkRows) endChunk();
    }
  }
  endChunk();
  return { columns, chunks, rows: count, guessedHead };
}

/** From bytes or a file path; yields at least once, for the columns. */
export async function* workbookRows(
  source: Buffer | string,
  { unpackedBytes, ...question }: WorkbookOptions,
): AsyncGenerator<WorkbookRows, void, undefined> {
  using from = await WorkbookPackage.open(source, { unpackedBytes });
  yield* rowsOfWorkbook(from, question);
}
