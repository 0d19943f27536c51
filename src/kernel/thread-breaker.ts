/** Asks threads that may hardly get to run, without waiting forever. */
import type { Deadline } from './deadline.ts';
import { LIMITS } from './limits.ts';

/**
 * Low-priority threads may hardly run on a busy machine. After a wait callers do the work themselves for a
 * while.
 */
export class ThreadBreaker {
  readonly #waitMs: number;
  #pausedUntilMs = 0;

  /** How long a batch waits for a thread, milliseconds. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** null: do it yourself. Throws the threads' errors, and the deadline's reason. */
  async ask<R>(run: (asker: Deadline) => Promise<R>, deadline: Deadline): Promise<R | null> {
    if (performance.now() < this.#pausedUntilMs) return null;
    const end = new AbortController();
    const { signal } = end;
    const timer = setTimeout(() => end.abort(LATE), this.#waitMs);
    // By hand: `AbortSignal.any` is kept by a registry until the next full collection.
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

/** Why a batch is taken back from the threads. */
const LATE = new Error('The batch has waited long enough for a thread.');
