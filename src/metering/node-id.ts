/** A process takes over only from its own directory and machine. */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Kept in a file, linked only if it does not exist: processes that start together agree. */
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

/** The machine's boot id: processes of an earlier boot are gone. */
export function hostOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
