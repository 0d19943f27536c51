/** A wait for so long that somebody else may cut short, also before it began. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Waker {
  #called = Promise.withResolvers<undefined>();

  wake(): void {
    this.#called.resolve(undefined);
  }

  /** Until somebody wakes it, or the time is over. */
  async wait(ms: number): Promise<void> {
    const over = new AbortController();
    const late = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#called.promise, late]);
    over.abort();
    this.#called = Promise.withResolvers();
  }
}
