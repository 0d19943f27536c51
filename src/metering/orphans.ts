/**
 * A file names the owner of journals whose process never met the store, so that they are counted
 * later.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const NAME = /^([0-9a-f]{16})\.unmet$/;

export async function noteUnmet(
  directory: string,
  instance: string,
  storeName: string,
): Promise<void> {
  await writeFile(pathOf(directory, instance), storeName, { mode: 0o600 });
}

export async function forgetUnmet(directory: string, instance: string): Promise<void> {
  await rm(pathOf(directory, instance), { force: true });
}

/** Processes of this store that left such a note. */
export async function unmetIn(
  directory: string,
  storeNames: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of await readdir(directory)) {
    const [, instance] = NAME.exec(file) ?? [];
    if (instance === undefined) continue;
    const written = await readFile(join(directory, file), 'utf8').catch(() => null);
    if (storeNames.includes(written ?? '')) found.push(instance);
  }
  return found;
}

function pathOf(directory: string, instance: string): string {
  return join(directory, `${instance}.unmet`);
}
