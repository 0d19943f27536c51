/** yauzl reads the parts here, the browser itself in pages. */
export interface WorkbookArchive {
  /** `path`: normalized by `partName`, also below. */
  has(path: string): boolean;
  /** Throws for a missing, damaged or too large part. */
  part(path: string): AsyncGenerator<string, void, undefined>;
}

/** Slashes, no dot segments, lower case (ECMA-376, part 2); null: leads out of the archive. */
export function partName(name: string): string | null {
  const steps: string[] = [];
  for (const step of name.replaceAll('\\', '/').split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.pop() === undefined) return null;
  }
  return steps.join('/').toLowerCase();
}
