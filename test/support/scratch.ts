/**
 * Where the files of a run lie while it lasts: in memory where the machine has enough of it. ext4 looks past
 * every file deleted in the last seconds for each one it makes, and a run makes and deletes a thousand
 * files with each database: that took a fifth of its processor time.
 */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { renameSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory, open to everybody. */
const MEMORY = '/dev/shm';
const NAME = 'geoopslag-tests-';
/** Bytes: a run has 1 GB of files at a time, and beside them five workers, some with an embedded store. */
const ENOUGH = { files: 4 * 2 ** 30, memory: 8 * 2 ** 30 };

/** Sets TMPDIR for this process and those it starts, unless it is set. What lies there goes with this process. */
export function useScratchInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return;
  sweep(MEMORY, NAME);
  const path = join(MEMORY, `${NAME}${process.pid}`);
  mkdirSync(path);
  // Whatever this user keeps from others: a server in it runs as a user of its own.
  chmodSync(path, 0o711);
  process.env['TMPDIR'] = path;
  process.once('exit', () => {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  });
}

function hasRoom(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    accessSync(MEMORY, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH.files && freemem() >= ENOUGH.memory;
  } catch {
    return false;
  }
}

/** Folders of runs that were killed before they could clean up: a run's process stands behind the prefix. */
export function sweep(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What was made for the next runs as well. Two may make it at the same time; one of them wins. */
export function keepDraft(draft: string, kept: string): void {
  try {
    renameSync(draft, kept);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
}
