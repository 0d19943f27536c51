/** Asking threads that may hardly run, without waiting for them for ever. */
import type { Clock } from './clock.ts';
import type { Deadline } from './deadline.ts';
import { LIMITS } from './limits.ts';

export interface ThreadBreakerDeps {
  readonly clock: Clock;
  /** What a batch waits for a thread, milliseconds. */
  readonly waitMs: number;
}

/**
 * Threads run when nobody else wants the core: on a machine that others keep busy, a sync in the
 * database say, they may hardly run at all. Who has waited long enough does the work itself, and for a
 * while nobody waits.
 */
export class ThreadBreaker {
  readonly #deps: ThreadBreakerDeps;
  #pausedUntilMs = 0;

  constructor(deps: ThreadBreakerDeps) {
    this.#deps = deps;
  }

  /** null: do it yourself. Throws what the threads throw, and the deadline's reason. */
  async ask<R>(run: (asker: Deadline) => Promise<R>, deadline: Deadline): Promise<R | null> {
    const { clock, waitMs } = this.#deps;
    if (clock.nowMs() < this.#pausedUntilMs) return null;
    const end = new AbortController();
    const { signal } = end;
    const timer = setTimeout(() => end.abort(LATE), waitMs);
    // By hand: `AbortSignal.any` is known to a registry, which keeps it until the next full collection.
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

  /** For a while nobody asks them. */
  pause(): void {
    this.#pausedUntilMs = this.#deps.clock.nowMs() + LIMITS.threadPauseMs;
  }
}

/** Why a batch is taken from the threads again. */
const LATE = new Error('The batch has waited long enough for a thread.');
