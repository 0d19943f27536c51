/** Writes the ends of attempts together: one statement for many, soon after the first of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Ended, Settled } from './dispatch-store.ts';

export interface SettlerOptions {
  readonly write: (ended: readonly Ended[]) => Promise<readonly Settled[]>;
  /** Told when some are on record; those that are not among them were somebody else's by then. */
  readonly onSettled: (ended: readonly Ended[], settled: readonly Settled[]) => void;
  /** Told of a write that failed: it is tried again. */
  readonly onFailure: (error: unknown) => void;
  readonly retryMs: number;
  /** How long results wait for others, milliseconds; asked for each write. */
  readonly settleMs: () => number;
}

export class Settler {
  readonly #options: SettlerOptions;
  #waiting: Ended[] = [];
  #writing: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: SettlerOptions) {
    this.#options = options;
  }

  add(ended: Ended): void {
    this.#waiting.push(ended);
    this.#writing ??= this.#write();
  }

  /** Writes what waits, once; what cannot be written then is left to whoever finds its lease ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { write, onSettled, onFailure, retryMs, settleMs } = this.#options;
    const { settleBatch } = WEBHOOK_LIMITS;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < settleBatch && !this.#isStopped) await sleep(settleMs());
      const batch = this.#waiting.splice(0, settleBatch);
      try {
        onSettled(batch, await write(batch));
      } catch (error) {
        onFailure(error);
        if (this.#isStopped) break;
        this.#waiting.unshift(...batch);
        await sleep(retryMs);
      }
    }
    this.#writing = null;
  }
}
