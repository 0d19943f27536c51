/** Writes results in one statement, soon after the first. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WEBHOOK_LIMITS } from './limits.ts';
import type { Ended, Settled } from './dispatch-store.ts';

export interface SettlerOptions {
  readonly write: (ended: readonly Ended[]) => Promise<readonly Settled[]>;
  readonly onSettled: (ended: readonly Ended[], settled: readonly Settled[]) => void;
  readonly onFailure: (error: unknown) => void;
  readonly retryMs: number;
  /** How long results are collected; read before each write. */
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

  /** Writes what waits, once; the rest is recovered when leases end. */
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
