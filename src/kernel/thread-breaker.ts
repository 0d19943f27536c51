import type { Deadline } from './deadline.ts';
import { LIMITS } from './limits.ts';

/**
 * Low-priority threads may hardly run on a busy machine: after one wait, callers do the work
 * themselves for a while.
 */
export class ThreadBreaker {
  readonly #waitMs: number;
  #pausedUntilMs = 0;

  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** null: do it yourself. Throws the threads' errors, and the deadline's reason. */
  async ask<R>(run: (asker: Deadline) => Promise<R>, deadline: Deadline): Promise<R | null> {
    if (performance.now() < this.#pausedUntilMs) return null;
    const end = new AbortController();
    const { signal } = end;
    const timer = setTimeout(() => end.abort(LATE), this.#waitMs);
    // A registry keeps `AbortSignal.any` until the next full collection.
    const giveUp = (): void => end.abort(deadline.signal.reason);
    deadline.signal.addEventListener('abort', giveUp, { once: true });
    try {
      if (deadline.signal.aborted) giveUp();
      return await run({ signal, holder: deadline.holder });
    } catch (error) {
      if (signal.reason !== LATE || deadline.signal.aborted) throw error;
      this.pause();
      return null;
    } finally {
      clearTimeout(timer);
      deadline.signal.removeEventListener('abort', giveUp);
    }
  }

  pause(): void {
    this.#pausedUntilMs = performance.now() + LIMITS.threadPauseMs;
  }
}

const LATE = new Error('The batch has waited long enough for a thread.');
