import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { HANG_MS } from './run-settings.ts';

export interface Waiting {
  /** The default is what only a hang takes. */
  readonly withinMs?: number;
  readonly everyMs?: number;
  /** What brings it: once it has ended, nothing comes. */
  readonly by?: ChildProcess;
  /** What is known where it does not come. */
  readonly seen?: () => string;
}

/** Waits until something is so, and returns how long that took, milliseconds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { withinMs = 2 * HANG_MS, everyMs = 25, by, seen = () => 'nothing' }: Waiting = {},
): Promise<number> {
  const startMs = performance.now();
  while (!(await isSo())) {
    const hasEnded = by !== undefined && (by.exitCode !== null || by.signalCode !== null);
    if (hasEnded || performance.now() - startMs > withinMs) {
      throw new Error(`Waited in vain; seen: ${seen()}`);
    }
    await sleep(everyMs);
  }
  return performance.now() - startMs;
}
