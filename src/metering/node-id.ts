/** A process takes over only from its own directory and machine. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFile } from '../kernel/replace-file.ts';

/** Kept in a file, linked only if it does not exist: processes that start together agree. */
export function nodeIdOf(directory: string): string {
  const path = join(directory, 'place');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) makeFile(path, randomBytes(8).toString('hex'));
  return readFileSync(path, 'utf8').trim();
}

/** The machine's boot id: processes of an earlier boot are gone. */
export function hostOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname();
  }
}
