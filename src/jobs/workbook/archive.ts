/** The parts of a workbook as text, however its archive is opened: here by yauzl, in a browser by its own. */
export interface WorkbookArchive {
  /** `path`: a name as `partName` makes it, here and below. */
  has(path: string): boolean;
  /** A part, unpacked while it is read. Throws a Failure where it is none, damaged or too large. */
  part(path: string): AsyncGenerator<string, void, undefined>;
}

/**
 * A part's name in one form, whichever program wrote it: with slashes, none of them first, without steps, in
 * small letters, because names of parts are the same whatever their case (ECMA-376, part 2). null: it leads
 * out of the archive.
 */
export function partName(name: string): string | null {
  const steps: string[] = [];
  for (const step of name.replaceAll('\\', '/').split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) return null;
  }
  return steps.join('/').toLowerCase();
}
