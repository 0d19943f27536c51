/** Long work runs in short slices from one queue, one per turn of the event loop. */
import { LIMITS } from './limits.ts';

const waiting: (() => void)[] = [];
let armed = false;

/** Resolves after what arrived before. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!armed) arm();
  });
}

/** Browsers, where workbooks are also read, have only timers. */
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

export class Slice {
  #endMs = performance.now() + LIMITS.sliceMs;

  /** Then `await slice.next()`. */
  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#endMs = performance.now() + LIMITS.sliceMs;
  }
}
