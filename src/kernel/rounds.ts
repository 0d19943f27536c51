import { setTimeout as sleep } from 'node:timers/promises';

/** Work repeated until stopped, one round at a time; a rest does not keep the process alive. */
export class Rounds {
  readonly #stop = new AbortController();
  #wake = Promise.withResolvers<undefined>();
  #running: Promise<void> | null = null;

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** `round` returns the milliseconds to rest after it, and must not reject. */
  start(round: () => Promise<number>): void {
    this.#running ??= this.#run(round);
  }

  /** Ends the current rest, or skips the next one. */
  wake(): void {
    this.#wake.resolve(undefined);
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(round: () => Promise<number>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      const restMs = await round();
      const rest = sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([rest, this.#wake.promise]);
    }
  }
}
