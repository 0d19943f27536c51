/**
 * The kernel spreads connections over threads, not requests: a thread over its share asks one
 * client to reconnect.
 */
import { performance } from 'node:perf_hooks';
import { THREAD_LIMITS } from './limits.ts';

export interface Load {
  /** Share of time in which the event loop worked. */
  readonly busy: number;
  /** Connections with answers. */
  readonly active: number;
}

/**
 * The thread is full, the others are not, and more than one connection keeps it busy: a single one
 * would do so elsewhere.
 */
export function isOverShare(own: Load, others: readonly Load[]): boolean {
  const { busyFrom, sharesFrom } = THREAD_LIMITS.moved;
  if (own.busy < busyFrom || own.active < 2 || others.length === 0) return false;
  const mean = [own, ...others].reduce((sum, { busy }) => sum + busy, 0) / (others.length + 1);
  return own.busy >= sharesFrom * mean;
}

const SCALE = 1_000_000;

export function loadsBuffer(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * Int32Array.BYTES_PER_ELEMENT);
}

export class Balance {
  readonly #busy: Int32Array;
  readonly #own: number;
  #before = performance.eventLoopUtilization();

  constructor(buffer: SharedArrayBuffer, own: number) {
    this.#busy = new Int32Array(buffer);
    this.#own = own;
  }

  /** Call every `THREAD_LIMITS.moved.everyMs`. */
  look(active: number): boolean {
    const now = performance.eventLoopUtilization();
    const busy = performance.eventLoopUtilization(now, this.#before).utilization;
    this.#before = now;
    Atomics.store(this.#busy, this.#own, Math.round(busy * SCALE));
    const all = Array.from(this.#busy, (_, thread) => ({
      ...{ busy: Atomics.load(this.#busy, thread) / SCALE, active },
    }));
    return isOverShare(
      { busy, active },
      all.filter((_, thread) => thread !== this.#own),
    );
  }
}
