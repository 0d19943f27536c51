/** The parts of a workbook as text, however its archive is opened: here by yauzl, in a browser by its own. */
export interface WorkbookArchive {
  has(path: string): boolean;
  /** A part, unpacked while it is read. Throws a Failure where it is none, damaged or too large. */
  part(path: string): AsyncGenerator<string, void, undefined>;
}
