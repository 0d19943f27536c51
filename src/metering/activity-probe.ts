/** All processes of a machine write their journals to one directory. */
import { stat } from 'node:fs/promises';
import { METERING_LIMITS } from './limits.ts';
import { journalFiles } from './journal.ts';

export class ActivityProbe {
  readonly #directory: string;
  #bytes: number | null = null;
  #lookedMs = -Infinity;
  #grewMs = -Infinity;

  /** `directory` (`journalDirectory`) may not exist yet. */
  constructor(directory: string) {
    this.#directory = directory;
    void this.#look();
  }

  /** Within `METERING_LIMITS.besideMs`, by the last background check. */
  isUnderWay(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs >= METERING_LIMITS.besideLookMs) void this.#look();
    return nowMs - this.#grewMs < METERING_LIMITS.besideMs;
  }

  async #look(): Promise<void> {
    this.#lookedMs = performance.now();
    const bytes = await bytesOf(this.#directory);
    // Fewer bytes: a journal was folded and removed.
    if (this.#bytes !== null && bytes > this.#bytes) this.#grewMs = performance.now();
    this.#bytes = bytes;
  }
}

async function bytesOf(directory: string): Promise<number> {
  try {
    const files = await journalFiles(directory);
    const sizes = await Promise.all(
      files.map(async ({ path }) => {
        const found = await stat(path).catch(() => null);
        return found?.size ?? 0;
      }),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  } catch {
    // No directory: nothing was answered here yet.
    return 0;
  }
}
