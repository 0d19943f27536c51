import { setTimeout as sleep } from 'node:timers/promises';

export class Waker {
  #called = Promise.withResolvers<undefined>();

  wake(): void {
    this.#called.resolve(undefined);
  }

  async wait(ms: number): Promise<void> {
    const over = new AbortController();
    const late = sleep(ms, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([this.#called.promise, late]);
    over.abort();
    this.#called = Promise.withResolvers();
  }
}
