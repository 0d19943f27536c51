/** How a thread learns that nobody waits for its batch any more. */
import type { SessionTask } from './protocol.ts';

/** Items between two looks: short beside what a thread costs, long beside a look. */
const EVERY = 16;

/** Whether to stop at this point or number of the batch. */
export function isCancelled(
  { cancelled }: Partial<Pick<SessionTask, 'cancelled'>>,
  item: number,
): boolean {
  return cancelled !== undefined && item % EVERY === 0 && Atomics.load(cancelled, 0) !== 0;
}
