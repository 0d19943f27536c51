import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Throws an Error that names DATA_DIR. */
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
 * Step by step: Node's recursive mkdir never returns in /proc, where a parent reports "no such
 * directory" for a new child.
 */
function makeDirectory(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeDirectory(parent);
  if (!isMade(path)) mkdirSync(path);
}

/** false: the parent is missing. Throws on any other error. */
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
