/** Only this file, pool.ts and sessions.ts know Piscina. */
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** The caller of the task receives `value`; the buffers are transferred. */
export function handOver<T>(value: T, buffers: readonly ArrayBuffer[]): T {
  return move(new HandedOver(value, buffers) as never) as T;
}

/** Getters in an object literal would create a long-lived hidden class per result. */
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
