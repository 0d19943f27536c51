export { partName } from './archive.ts';
export type { WorkbookArchive } from './archive.ts';
export { readParts } from './parts.ts';
export { broken, tooManyParts, unpacksTooLarge } from './refusals.ts';
export { rowsOfWorkbook } from './rows.ts';
export type { SheetQuestion, WorkbookRows } from './rows.ts';
