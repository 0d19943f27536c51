import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';

/** `write` fills a temporary file, renamed when complete. */
export async function replaceFile<T>(
  path: string,
  write: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const written = await write(temporary);
    await rename(temporary, path);
    return written;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Readable only by its owner. Leaves the file of another process that was first. */
export function makeFile(path: string, text: string): void {
  const own = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(own, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
