/**
 * Returning a result from a thread with its buffers transferred instead of copied. Beside pool.ts
 * the only file that knows Piscina; tasks import this one, the rest of the service imports the pool.
 */
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** What a task returns: the caller of the task receives `value`. */
export function handOver<T>(value: T, buffers: readonly ArrayBuffer[]): T {
  const moved = move({
    get [transferableSymbol]() {
      return buffers;
    },
    get [valueSymbol]() {
      return value;
    },
  } as never);
  return moved as T;
}
