/** How a thread learns that nobody waits for its batch any more. */
import type { LinesPageTask } from '../src/lookups/line-pages.ts';

/** Points between two looks: short beside what a thread costs, long beside a look. */
const EVERY = 16;

/** Whether to stop at this point of the batch. */
export function isCancelled({ cancelled }: LinesPageTask, point: number): boolean {
  return cancelled !== undefined && point % EVERY === 0 && Atomics.load(cancelled, 0) !== 0;
}
