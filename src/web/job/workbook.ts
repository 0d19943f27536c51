/** The service's own reader over an archive opened here. */
import { readParts, rowsOfWorkbook } from '../../jobs/workbook/for-pages.ts';
import type { SheetQuestion, WorkbookRows } from '../../jobs/workbook/for-pages.ts';
import { BrowserArchive } from './archive.ts';

/** Throws a Failure naming the row or the cell. */
export async function* workbookRows(
  file: Blob,
  question: SheetQuestion,
): AsyncGenerator<WorkbookRows, void, undefined> {
  yield* rowsOfWorkbook(await BrowserArchive.open(file), question);
}

export async function sheetNames(file: Blob): Promise<readonly string[]> {
  const { sheets } = await readParts(await BrowserArchive.open(file));
  return sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
}
