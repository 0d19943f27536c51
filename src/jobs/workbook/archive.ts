/** The parts of a workbook as text: by yauzl here, by the browser's own reader in pages. */
export interface WorkbookArchive {
  /** `path`: normalized by `partName`, also below. */
  has(path: string): boolean;
  /** A part, unpacked while reading. Throws a Failure where it is missing, damaged or too large. */
  part(path: string): AsyncGenerator<string, void, undefined>;
}

/**
 * A part's normalized name: slashes, no dot segments, lower case (ECMA-376, part 2); null: it
 * leads out of the archive.
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
