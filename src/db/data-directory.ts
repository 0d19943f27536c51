/** The data directory: made, and tried for writing, before anything is to be kept in it. */
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Throws an Error that names DATA_DIR where the directory cannot be made or not be written in. */
export function prepareDataDirectory(path: string): void {
  try {
    makeDirectory(path);
    rmdirSync(mkdtempSync(join(path, '.tried-')));
  } catch (cause) {
    const why = (cause as Error).message;
    throw new Error(`DATA_DIR cannot be used: ${why}. Name a folder that may be written in.`, {
      cause,
    });
  }
}

/**
 * Step by step: the recursive mkdir of Node never returns where a directory that is there says "no such
 * directory" of a new one in it, as those of /proc do.
 */
function makeDirectory(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeDirectory(parent);
  if (!isMade(path)) mkdirSync(path);
}

/** Whether it is there after one try; false: its parent is missing. Throws for anything else. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
