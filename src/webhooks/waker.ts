/** A wait that can be cut short, even before it begins. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Waker {
  #called = Promise.withResolvers<undefined>();

  wake(): void {
    this.#called.resolve(undefined);
  }

  /** Until woken, or the time is over. */
  async wait(ms: number): Promise<void> {
    const over = new AbortController();
    const late = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#called.promise, late]);
    over.abort();
    this.#called = Promise.withResolvers();
  }
}
