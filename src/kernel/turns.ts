/**
 * Fairness inside one thread: long work is cut into short slices, and between two slices whatever has
 * arrived meanwhile is answered. Everybody's slices wait in one line, one a turn of the event loop.
 */
import { LIMITS } from './limits.ts';

const waiting: (() => void)[] = [];
let armed = false;

/** Resolves on a later turn of the event loop, after what arrived before it. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!armed) arm();
  });
}

/** Browsers, where workbooks are read too, have timers alone. */
const later =
  (globalThis as { setImmediate?: (then: () => void) => unknown }).setImmediate ??
  ((then: () => void) => setTimeout(then, 0));

function arm(): void {
  armed = true;
  later(() => {
    waiting.shift()?.();
    if (waiting.length > 0) arm();
    else armed = false;
  });
}

/** The time one piece of work may take before others get their turn. */
export class Slice {
  #endMs = performance.now() + LIMITS.sliceMs;

  /** Whether it is time for `await slice.next()`. */
  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#endMs = performance.now() + LIMITS.sliceMs;
  }
}
