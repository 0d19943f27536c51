/**
 * The directory that keeps journals, and the machine it is on, by names that the store can hold: a
 * process takes up what another left only where both have written to the same directory.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * A name for a directory of journals, kept in it; made with it where there is none. Of processes that
 * start together one names it, and all get that name: a link is refused where a file is, while a
 * rename would put a second name over the first one's.
 */
export function nodeIdOf(directory: string): string {
  const path = join(directory, 'place');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) nameIt(path);
  return readFileSync(path, 'utf8').trim();
}

function nameIt(path: string): void {
  const name = randomBytes(8).toString('hex');
  const draft = `${path}.${name}`;
  writeFileSync(draft, name, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The boot of this machine: processes of an earlier one are gone. */
export function hostOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
