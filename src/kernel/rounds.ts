import { setTimeout as sleep } from 'node:timers/promises';

/** Work repeated until stopped, one round at a time; a rest does not keep the process alive. */
export class Rounds {
  readonly #stop = new AbortController();
  readonly #first = Promise.withResolvers<undefined>();
  #rest = new AbortController();
  #running: Promise<void> | null = null;

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves after the first round, or where none begins. */
  get first(): Promise<unknown> {
    return this.#first.promise;
  }

  /** `round` returns the milliseconds to rest after it, and must not reject. */
  start(round: () => Promise<number>): void {
    this.#running ??= this.#run(round);
  }

  /** Ends the current rest, or skips the next one. */
  wake(): void {
    this.#rest.abort();
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#rest.abort();
    await this.#running;
  }

  async #run(round: () => Promise<number>): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { signal } = (this.#rest = new AbortController());
      const restMs = await round();
      this.#first.resolve(undefined);
      await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    this.#first.resolve(undefined);
  }
}
