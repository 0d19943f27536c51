/**
 * Returning a result from a thread with its buffers transferred instead of copied. Beside pool.ts
 * and sessions.ts the only file that knows Piscina; tasks import this one, the rest of the service imports the pool.
 */
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** What a task returns: the caller of the task receives `value`. */
export function handOver<T>(value: T, buffers: readonly ArrayBuffer[]): T {
  return move(new HandedOver(value, buffers) as never) as T;
}

/** A class: getters in an object literal would make each result a shape of its own, kept for long. */
class HandedOver {
  readonly #value: unknown;
  readonly #buffers: readonly ArrayBuffer[];

  constructor(value: unknown, buffers: readonly ArrayBuffer[]) {
    this.#value = value;
    this.#buffers = buffers;
  }

  get [transferableSymbol](): readonly ArrayBuffer[] {
    return this.#buffers;
  }

  get [valueSymbol](): unknown {
    return this.#value;
  }
}
