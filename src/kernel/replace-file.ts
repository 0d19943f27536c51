import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';

/** `write` fills a temporary file, renamed when complete. */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
