/**
 * Whether anybody is being answered on this machine, by whatever process: each answer is on record in a
 * journal of one directory before it leaves, so that journals that grow are lookups that somebody waits
 * for.
 */
import { statSync } from 'node:fs';
import { LIMITS } from '../kernel/limits.ts';
import { journalFiles } from './journal.ts';

export class ActivityProbe {
  readonly #directory: string;
  #bytes = 0;
  #lookedMs = -Infinity;
  #grewMs = -Infinity;

  /** `directory`: of journals (`journalDirectory`); it need not be there yet. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#bytes = bytesOf(directory);
  }

  /** Some answer left within the last moments (`LIMITS.jobs.besideMs`). Looks at the disk now and then. */
  isUnderWay(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs >= LIMITS.jobs.besideLookMs) {
      this.#lookedMs = nowMs;
      const bytes = bytesOf(this.#directory);
      // Fewer: one was folded and removed.
      if (bytes > this.#bytes) this.#grewMs = nowMs;
      this.#bytes = bytes;
    }
    return nowMs - this.#grewMs < LIMITS.jobs.besideMs;
  }
}

/** Of all journals there; 0 where nothing can be read. */
function bytesOf(directory: string): number {
  let bytes = 0;
  try {
    for (const { path } of journalFiles(directory)) {
      bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    // No directory: nobody was answered here yet.
  }
  return bytes;
}
